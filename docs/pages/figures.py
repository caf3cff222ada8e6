"""The figures' pages: what to look for, the drawing, and the theorem behind it."""

from __future__ import annotations

from docs.figures import TITLES
from docs.markup import page, plain, sentence, status_mark
from docs.site import Site, link, path_of

# What to do with a figure, what it shows, and the theorems that say it for every size.
ABOUT: dict[str, tuple[str, tuple[str, ...]]] = {
    "surrogate": (
        "Two states, three actions, one step of length t along the policy gradient. Drag the "
        "point: near t = 0 the surrogate and the true gain agree to first order, further out the "
        "surrogate keeps promising while the gain turns negative. Below, the divergence from the "
        "old policy and its Fisher quadratic; δ shades the trust region.",
        ("surrogate_agrees_to_first_order", "surrogate_error_is_exactly_the_visitation_shift"),
    ),
    "clip": (
        "Drag the point along min(ρA, clip(ρ)A). In the shaded region the objective is flat, so "
        "the sample has no gradient: nothing pulls the ratio further, and nothing pulls it back.",
        ("clip_gradient_cases", "clipped_surrogate_is_pessimistic"),
    ),
    "tree": (
        "Choose a response of two tokens. Each token is charged β times its own log-ratio, and the "
        "score is paid at the last one; the sum is the penalised score of the whole response.",
        ("token_rewards_sum_to_the_penalised_score",),
    ),
    "tilted": (
        "Drag the rewards and move β. The optimum tilts the reference towards reward; for small β "
        "it concentrates on the best response, for large β it stays with the reference.",
        ("tilted_reference_is_the_unique_optimum",),
    ),
    "group": (
        "Drag the rewards of four responses. Leave-one-out advantages are centred ones times 4/3; "
        "normalised ones do not see the scale of the rewards, and all are zero for equal rewards.",
        (
            "leave_one_out_is_a_rescaled_centering",
            "group_normalisation_ignores_shift_and_scale",
        ),
    ),
    "penalty": (
        "Three actions; drag π and the reference. The arrows are steps down the expected gradient "
        "of the penalty, with samples held fixed, and of the two divergences. k1 follows nothing, "
        "k2 follows KL(π‖π_ref), k3 follows KL(π_ref‖π); times the likelihood ratio, k1 and k3 "
        "both follow KL(π‖π_ref).",
        (
            "k1_as_a_loss_has_zero_expected_gradient",
            "k2_as_a_loss_follows_the_reverse_divergence",
            "k3_as_a_loss_follows_the_forward_divergence",
        ),
    ),
}


def figure_pages(site: Site) -> dict[str, str]:
    """Path and text of each."""
    rows = [f"- [{title}]({name}.md)" for name, title in TITLES.items()]
    out = {
        "figures/index.md": page(
            "Figures",
            "Six figures to move",
            "# Figures",
            "Mouse, touch and arrow keys move every marked point; the values stand below as text. "
            "They are compared with the project's own Python whenever the browser tests run.",
            "\n".join(rows),
        )
    }
    return out | {f"figures/{name}.md": figure_page(name, site) for name in TITLES}


def figure_page(name: str, site: Site) -> str:
    """One figure."""
    said, theorems = ABOUT[name]
    title = TITLES[name]
    box = (
        f'<div class="figure-box" data-figure="{name}"><p>This figure needs JavaScript; the text '
        "above says what it shows.</p></div>"
    )
    behind = "; ".join(_theorem(t, f"figures/{name}.md", site) for t in theorems)
    return page(title, title, f"# {title}", plain(said), box, f"The theorems behind it: {behind}.")


def _theorem(name: str, here: str, site: Site) -> str:
    r = site.by_id.get(name)
    if r is None:
        return f'{sentence(name).lower()} <span class="status gap">not proved yet</span>'
    return f"[{sentence(r.name).lower()}]({link(here, path_of(r.id))}) {status_mark(r.status)}"
