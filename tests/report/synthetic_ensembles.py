"""Tables of votes across cells, as `seggrid.score.ensemble` makes them."""

import pandas as pd
import synthetic

from seggrid.score.metrics import METRICS


def ensembles(scores):
    """Two ensembles of the cells of one pair; the second has a hostile name."""
    members = _members(scores)
    rows = []
    for number, name in enumerate(["every", synthetic.HOSTILE[0]]):
        row = {"ensemble": name, "pair": members.pair.iloc[0], "members": len(members)}
        row["gold_used"] = "none"
        for metric in METRICS:
            row |= {metric: 0.8, f"{metric}_low": 0.75, f"{metric}_high": 0.85}
        row |= {
            "best_member": members.cell.iloc[0],
            **{f"best_{metric}": 0.7 for metric in METRICS},
        }
        for metric in ("f1", "aer"):
            delta = -0.1 - number / 100
            row |= {
                f"delta_{metric}": delta,
                f"delta_{metric}_low": delta - 0.02,
                f"delta_{metric}_high": delta + 0.02,
            }
        rows.append(row | {"p": 0.0004})
    return pd.DataFrame(rows)


def votes(scores):
    """The weight of each member in each ensemble; that of the last member is the largest."""
    members = _members(scores)
    parts = []
    for name in ensembles(scores).ensemble:
        weight = [float(k) for k in range(len(members))]
        parts.append(
            pd.DataFrame(
                {
                    **{"ensemble": name, "pair": members.pair, "member": members.cell},
                    **{"f1": members.f1, "aer": members.aer, "weight": weight},
                    **{"weight_low": weight, "weight_high": weight, "above": 1.5},
                }
            )
        )
    return pd.concat(parts)


def _members(scores):
    return scores[scores.f1.notna() & (scores.pair == scores.pair.iloc[0])].head(4)
