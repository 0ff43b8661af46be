"""The default method: blocks of text, features from the flat tree, boosted trees that look twice.

Trained by `python -m training.content`; what the model was trained on and how it measures is in docs/model-card.md.
"""

from scythe.content.learned.learned import learned

__all__ = ["learned"]
