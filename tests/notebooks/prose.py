"""Numbers in a notebook's prose, and whether an output, a code cell or a statement of the same notebook contains them.

What is exempt, and nothing else:
- words for numbers ("two", "a hundred"), and the digits 0, 1, 2 as counts;
- names: years of four digits, and what follows Theorem, Section, Figure, chapter and the like (NAMED);
- code spans, links' targets, headings with a number, the title cell, the references, folded hints' markup;
- formulas: mathematics that holds a letter, a fraction or a relation. Mathematics that is a number alone is a number;
- in EXEMPT, by notebook: a phrase with the reason why its numbers need no output.
Numbers in code cells are parameters: prose may repeat them. An output supports a number that it rounds to.
"""

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path

#: Words before a number that is a name: "Theorems 4, 11, 13 and 18", "Figure 5(a)", "chapter 3", "Table 6.1".
NAMED = (
    r"(?:Theorem|Lemma|Section|Figure|Fig\.|Table|Algorithm|Definition|Proposition|Corollary|Remark|Fact|Claim|Equation"
    r"|Eq\.|line|Line|Instance|Appendix|Chapter|chapter|Problem set|problem set|step|Step|Part|part|Exercise|exercise"
    r"|Note|Panel|panel|volume|JMLR|pages?)s?"
)
NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+"
LIST = rf"[  ]\(?(?:{NUMBER})(?:\([a-z]\))?(?:(?:, | and |, and | to | or |–|-|/)\(?(?:{NUMBER})(?:\([a-z]\))?\)?)*"
LETTERS = re.compile(r"[A-Za-z=<>]|\\(?:frac|ln|sqrt|epsilon|delta|Delta|le|ge|alpha|sum|mu|theta)")
POWER = re.compile(r"^\s*(?:(?P<front>[\d.]+)\s*\\?(?:cdot|times)\s*)?10\^\{?(?P<power>-?\d+)\}?\s*$")

EXEMPT_FILE = Path(__file__).with_name("prose_exempt.json")


def exempt(stem: str) -> dict[str, str]:
    """Phrase -> reason, for the notebook of this name."""
    return json.loads(EXEMPT_FILE.read_text()).get(stem, {})


def value(text: str) -> float:
    """The number that a token stands for."""
    return float(text.replace(",", "").replace("_", ""))


def prose(notebook) -> Iterator[tuple[int, str]]:
    """(cell number, text) of the markdown cells whose numbers count."""
    for place, cell in enumerate(notebook["cells"]):
        text = "".join(cell["source"])
        if cell["cell_type"] != "markdown" or place == 0 or text.lstrip().startswith("## References"):
            continue
        yield place, text


def numbers(text: str) -> list[tuple[str, float, int]]:
    """(as written, value, digits after the point) of every number in a markdown text that is none of the exempt
    forms.
    """
    text = re.sub(r"```.*?```|`[^`]*`", " ", text, flags=re.S)
    text = re.sub(r"\[\d\d\](?=\()", " ", text)  # [03](03_cascading.ipynb)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = re.sub(r"<[^>]+>|https?://\S+", " ", text)
    found = []
    for block in re.findall(r"\$\$.+?\$\$|\$[^$]+\$", text, flags=re.S):
        inside = block.strip("$").replace(r"\,", "").replace("{,}", ",")
        if match := POWER.match(inside):
            front = match["front"] or "1"
            found.append(
                (block, float(front) * 10.0 ** int(match["power"]), -int(match["power"]) + len(front.partition(".")[2]))
            )
        elif not LETTERS.search(inside) and "^" not in inside:
            found += [(token, value(token), len(token.partition(".")[2])) for token in re.findall(NUMBER, inside)]
    text = re.sub(r"\$\$.+?\$\$|\$[^$]+\$", " ¤ ", text, flags=re.S)
    text = re.sub(NAMED + LIST, " ", text)
    text = re.sub(r"^\s*\d+\.\s", " ", text, flags=re.M)  # numbered lists
    text = re.sub(r"\b(?:19|20)\d\d\b", " ", text)
    text = re.sub(r"[A-Za-zΑ-ω_₀-₉⁰-⁹^]\d[\d.]*|\d+(?=[A-Za-zα-ω])(?!e)", " ", text)  # B1, 2R, 10⁵: names and formulas
    for match in re.finditer(rf"(?<![\w.,])(?:{NUMBER})(?![\w])", text):
        token = match[0]
        if token in ("0", "1", "2"):
            continue
        found.append((token, value(token), len(token.partition(".")[2])))
    return found


def known(notebook) -> list[tuple[float, int]]:
    """(value, digits after the point) of every number in the outputs and code of a notebook."""
    found = set()
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        texts = ["".join(cell["source"])]
        for output in cell.get("outputs", ()):
            texts.append("".join(output.get("text", "")))
            texts += [
                "".join(v)
                for k, v in output.get("data", {}).items()
                if k in ("text/plain", "text/html", "text/markdown")
            ]
        for text in texts:
            for power in re.findall(r"(\d+)\s*\*\*\s*(\d+)", text):
                found.add((float(power[0]) ** float(power[1]), 0))
            for token in re.findall(r"\d[\d_,]*\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?", text):
                token = token.rstrip(",_")
                try:
                    number = value(token)
                except ValueError:
                    continue
                mantissa, _, power = token.lower().partition("e")
                found.add((number, len(mantissa.partition(".")[2]) - int(power or 0)))
                if "," in token and not re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", token):  # [1,20] is no number
                    found |= {
                        (float(part.replace("_", "")), len(part.partition(".")[2])) for part in token.split(",") if part
                    }
    return sorted(found)


def supported(number: float, places: int, facts: list[tuple[float, int]], percent: bool = False) -> bool:
    """Whether one of `facts` is this number, to the digits with which it is written."""
    step = 10.0**-places
    if (
        places == 0 and number and number % 10 == 0
    ):  # 7,600 and 120: to the digits before the zeros, at least two of them
        digits = f"{number:.0f}".rstrip("0")
        step = min(10.0 ** (len(f"{number:.0f}") - max(len(digits), 2)), max(1.0, number / 10))
    for fact, fact_places in facts:
        if abs(fact - number) <= 1e-9 * max(1.0, abs(number)):
            return True
        if fact_places > places or step > 1:
            if abs(fact - number) <= step / 2 * (1 + 1e-9):
                return True
    if percent:
        return supported(number / 100, places + 2, facts)
    return False


def unsupported(notebook, exemptions: dict[str, str], more: str = "") -> list[str]:
    """A sentence for each number in the prose that nothing in the notebook supports. more: texts of its statements."""
    facts = known(notebook)
    facts += [(found, places) for _, found, places in numbers(more)]
    said = []
    for place, text in prose(notebook):
        kept = text
        for phrase in exemptions:
            kept = kept.replace(phrase, " ")
        for token, number, places in numbers(kept):
            after = kept[kept.find(token) + len(token) :][:3].strip()
            if not supported(number, places, facts, percent=after.startswith("%")) and math.isfinite(number):
                where = kept.find(token)
                said.append(f"cell {place}: {token} in “…{' '.join(kept[max(0, where - 50) : where + 40].split())}…”")
    return said
