"""Inputs and parameters of the rules in ../language_model_probes.smk."""

# Every probe, as the names of its model and of the probe.
PROBES = [(name, probe) for name, own in GRID.language_models.items() for probe in own.probes]


def probe_items(wc):
    return outside(lm(wc).probes[wc.probe].file)
