"""The default method: blocks of text, features from the flat tree, boosted trees, and
the set of greatest expected F1.

Trained by `python -m training.content`; what the model was trained on and how it
measures is in docs/model-card.md.
"""

from scythe.content.methods.learned.method import Learned

__all__ = ["Learned"]
