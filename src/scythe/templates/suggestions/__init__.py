"""Field names suggested for the slots of a template."""
