# SPDX-License-Identifier: MIT
"""Quality numbers of a step. Named tuples, because dataclasses take long to import."""
from __future__ import annotations

from typing import Any, NamedTuple

Vector = tuple[float, float, float]


class AdvectionError(NamedTuple):
    """Error of the density that a prescribed velocity advects, compared with the exact density."""
    l1: float  #: norm of the difference, over the norm of the exact density
    l2: float
    overshoot: float  #: largest distance of a value from [0, largest exact density]
    mass: float  #: relative error of the sum


class LiquidQuality(NamedTuple):
    """Quality numbers of a liquid."""
    particles: float  #: number of particles
    volume: float  #: [m^3], enclosed by the surface
    energy: float  #: kinetic and potential energy over the density [m^5/s^2]
    in_solids: float  #: number of particles inside obstacles
    left: float  #: since the start: left through open sides
    lost: float  #: deleted because they were NaN or infinite
    surplus: float  #: deleted because their cell had too many
    not_spawned: float  #: not spawned because liquid.capacity was reached


class SparseQuality(NamedTuple):
    """What a sparse simulation stores."""
    active_bricks: float  #: number of bricks of 16^3 fine cells
    active_share: float  #: share of the box that they fill
    refused_bricks: float  #: that the last step did not open because there were too few slots
    dropped_mass: float  #: smoke below the threshold that closing bricks removed since the start [kg, as mass]


class FireQuality(NamedTuple):
    """Numbers of a fire."""
    heat_released: float  #: [W], of the fuel that burns now
    fuel: float  #: [kg] that is left
    hottest: float  #: greatest temperature [K above ambient]
    outflow: float  #: gas that left through the sides of the box in the last step [m^3/s], less what entered
    expansion: float  #: gas that the last step's heat added [m^3/s]


class MomentumBudget(NamedTuple):
    """What changed the momentum of the fluid in a step [kg m/s]. The sum is the change of momentum, unless obstacles or the box move."""
    sources: Vector  #: emitters and strokes
    forces: Vector  #: buoyancy, vorticity confinement, flow.velocity_decay
    bodies: Vector  #: obstacles: minus the sum of BodyForce.force times the step
    sides: Vector  #: what flowed in through the sides of the box, and their pressure and friction
    error: Vector  #: of advection, which would otherwise only move momentum


class BodyForce(NamedTuple):
    """Force of a fluid on an obstacle: pressure on its surface and viscous friction along it."""
    force: Vector  #: [N]; in a flat grid, on a layer one cell thick
    torque: Vector  #: about the obstacle's centre [N m]
    friction: Vector  #: the part of `force` due to viscosity


class Quality(NamedTuple):
    """Quality numbers of a step. The GPU sums them in a fixed order, so they are reproducible."""
    divergence_rms: float  #: [1/s] over the pressure grid's fluid cells, after projection
    divergence_max: float  #: [1/s]
    fine_divergence_rms: float  #: [1/s] over the fine grid's fluid cells
    split_blocks: float  #: blocks of 2x2x2 cells whose fluid an obstacle cuts into parts: their divergence cannot be repaired exactly
    residual: float  #: |b - A q| / |b| of the last pressure solve
    cycles: int  #: cycles or sweeps of that solve
    mass: float  #: sum of density * volume outside solids [kg at 1 kg/m^3 per unit density]; of a liquid, its particles
    leaked_mass: float  #: the same inside solids
    crossed_mass: float | None  #: smoke that has passed through bodies thinner than 4 cells since the start; not in a scene with liquid
    faded_mass: float | None  #: smoke that flow.side_fade removed in the last step; only if that is above 0
    kinetic_energy: float  #: sum of |u|^2 / 2 * h^3 [m^5/s^2]
    max_speed: float  #: [m/s]
    momentum: Vector | None  #: of smoke and air [kg m/s], with which the next step begins; not with a prescribed velocity
    momentum_budget: MomentumBudget | None  #: of a dense simulation with residuals=True
    liquid: LiquidQuality | None  #: only in a scene with liquid
    fire: FireQuality | None  #: only in a scene with fuel
    sparse: SparseQuality | None  #: only in a sparse simulation
    error: AdvectionError | None  #: only if only a prescribed velocity has changed the density
    bodies: tuple[BodyForce, ...]  #: one per obstacle; empty with a prescribed velocity, which has no pressure
    not_finite: str  #: the first field with NaN or infinity; empty if none
    residuals: tuple[float, ...]  #: |b - A q| / |b| before and during that solve; only of a simulation with residuals=True
    fine_divergence_before: float  #: [1/s] as fine_divergence_rms, before the projection; the same

    @property
    def finite(self) -> bool:
        return not self.not_finite

    def dict(self) -> dict[str, Any]:
        """All numbers as a nested dict, such as json.dump takes."""
        return _plain(self)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        if hasattr(value, "_asdict"):
            return {name: _plain(part) for name, part in value._asdict().items()}
        return [_plain(part) for part in value]
    return value


_PARTS = {"momentum_budget": MomentumBudget, "liquid": LiquidQuality, "fire": FireQuality, "sparse": SparseQuality, "error": AdvectionError}


def quality_of(numbers: dict[str, Any]) -> Quality:
    """From the dict that _core gives."""
    for name, part in _PARTS.items():
        if numbers[name] is not None:
            numbers[name] = part(**numbers[name])
    numbers["bodies"] = tuple(BodyForce(**body) for body in numbers["bodies"])
    return Quality(**numbers)
