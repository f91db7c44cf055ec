"""The league as a page, a table for a terminal, and JSON."""

import html

from dpbandits.course.league import League

STYLE = """\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; padding: 0.35rem 0.6rem; border-bottom: 1px solid #8886; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.ours { opacity: 0.75; font-style: italic; }
.wide { overflow-x: auto; }
.bar { display: inline-block; height: 0.7em; background: #0072b2; border-radius: 2px; }
.small { font-size: 0.85em; }
"""
TITLES = {
    "stochastic": "Plain arms",
    "cascade": "Cascades",
    "semi-bandit": "Semi-bandits",
    "matroid": "Matroids",
    "": "Not played",
}


def rows(league: League) -> list[dict]:
    """One record a team, in order: rank (of those who stand, in each setting; ours have none), and all that is told."""
    found, ranks = [], dict.fromkeys(TITLES, 0)
    for team in league.teams:
        stands = not (team.wrong or team.refuted or team.ours)
        ranks[team.setting] += stands
        found.append(
            {
                "rank": ranks[team.setting] if stands else None,
                "who": team.who,
                "policy": team.name,
                "setting": team.setting,
                "ours": team.ours,
                "promise": team.guarantee.get("label", ""),
                "epsilon_at_least": team.tried.get("epsilon"),
                "refuted": team.refuted,
                "regret": [game["mean"] for game in team.games],
                "stderr": [game["stderr"] for game in team.games],
                "share": None if team.share == float("inf") else team.share,
                "wrong": team.wrong or team.tried.get("failed", ""),
                "flags": team.flags,
            }
        )
    return found


def page(league: League) -> str:
    """HTML that stands alone. Whatever a submission says is text in it."""
    settings = league.settings
    told = (
        f"{settings['runs']} runs of {settings['horizon']:,} rounds on each hidden instance, seed {settings['seed']};"
        f" ε = {settings['epsilon']:g} and δ = {settings['delta']:g} for policies that take them; claims tried with"
        f" {settings['trials']:,} runs on each of two inputs over ten rounds."
    )
    by_setting: dict[str, list[dict]] = {}
    for row in rows(league):
        by_setting.setdefault(row["setting"], []).append(row)
    tables = "".join(_table(league, setting, found) for setting, found in by_setting.items())
    passed = "".join(f"<li>{html.escape(line)}</li>" for line in league.left_out)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>League of policies</title><style>
{STYLE}</style></head><body><h1>League of policies</h1><p>{told}</p>
<p>The order is by the mean share of what uniform play loses, in percent: 0 is never wrong, 100 is blind. Policies that
promise different things are not competitors: read the column <em>promise</em> first. <em>Found</em> is what an onlooker
proved about ε by counting; it can refute a promise and never confirm one. Ours, in italics, have no rank.</p>
{tables}{f"<h2>Passed over</h2><ul>{passed}</ul>" if passed else ""}</body></html>
"""


def _table(league: League, setting: str, found: list[dict]) -> str:
    grounds = league.grounds.get(setting, ())
    heads = "".join(
        f'<th scope="col" class="number">{html.escape(g)}</th>'
        for g in (f"regret {i + 1}" for i in range(len(grounds)))
    )
    lines = "".join(_line(row, len(grounds)) for row in found)
    where = "".join(f"<li>{html.escape(g)}</li>" for g in grounds)
    return f"""<h2>{TITLES[setting]}</h2><div class="wide"><table><thead><tr><th scope="col">rank</th>
<th scope="col">who</th><th scope="col">promise</th><th scope="col" class="number">found: ε ≥</th>{heads}
<th scope="col" class="number">share lost</th></tr></thead><tbody>{lines}</tbody></table></div>
{f'<ol class="small">{where}</ol>' if where else ""}
"""


def _line(row: dict, grounds: int) -> str:
    who = html.escape(row["who"]) + (
        f" <span class=small>({html.escape(row['policy'])})</span>" if row["policy"] else ""
    )
    notes = ([f"not ranked: {row['wrong']}"] if row["wrong"] else []) + [f"to look at, {f}" for f in row["flags"][:5]]
    who += "".join(f'<br><span class="small">{html.escape(note)}</span>' for note in notes)
    regret = [
        f"{mean:,.0f}" + (f" ± {error:,.0f}" if error is not None else "")
        for mean, error in zip(row["regret"], row["stderr"], strict=True)
    ]
    regret += ["–"] * (grounds - len(regret))
    cells = "".join(f'<td class="number">{cell}</td>' for cell in regret)
    share = "–"
    if row["share"] is not None:
        width = min(6.0, 6 * max(row["share"], 0))
        share = f'{100 * row["share"]:.1f} <span class="bar" style="width:{width:.2f}rem"></span>'
    tried = "–" if row["epsilon_at_least"] is None else f"{row['epsilon_at_least']:.2f}"
    tried += " (refuted)" if row["refuted"] else ""
    rank = row["rank"] or ("ours" if row["ours"] else "–")
    return (
        f"<tr{' class=ours' if row['ours'] else ''}><td>{rank}</td><td>{who}</td><td>{html.escape(row['promise'])}</td>"
        f'<td class="number">{tried}</td>{cells}<td class="number">{share}</td></tr>\n'
    )


def text(league: League) -> str:
    """For a terminal: rank, who, promise, what was found, share."""
    lines = []
    for row in rows(league):
        share = "" if row["share"] is None else f"{100 * row['share']:6.1f} %"
        tried = "" if row["epsilon_at_least"] is None else f"found ε ≥ {row['epsilon_at_least']:.2f}"
        why = row["wrong"] or ("claim refuted" if row["refuted"] else "")
        rank = str(row["rank"] or ("ours" if row["ours"] else "–"))
        line = f"{rank:>4}  {row['who'][:30]:30}  {row['setting']:11}  {share:>8}  {row['promise']}  {tried} {why}"
        lines.append(line.rstrip())
    return "\n".join(lines)
