"""How the learned extractor is made: labels, training, cross-validation, model file."""
