"""The story of one object, from what is known of it now to what is written; simulate and run tell the same."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from ork.base.findings import Fault, FaultKind
from ork.base.objects import Object, deleting, uid
from ork.engine import marks, rules, status
from ork.engine import scope as scopes
from ork.engine.desired import creating, desired
from ork.engine.faults import Stop
from ork.engine.plan import plan
from ork.engine.rules import Phase
from ork.engine.turn import Turn, by_key
from ork.expr.env import Scope
from ork.program import Crd, box_of
from ork.reconcile import settled
from ork.reconcile.calls import notices, with_calls
from ork.reconcile.cycle import Cycle, marked
from ork.reconcile.errors import Again, meaning
from ork.reconcile.finish import finish
from ork.reconcile.gates import gated
from ork.reconcile.originals import originals
from ork.reconcile.ports import Item, Outcome, OutcomeKind, Ports
from ork.reconcile.report import report, warn
from ork.reconcile.writes import Writer

AT_ONCE = timedelta(0)
TOO_DEEP = Fault(FaultKind.EVALUATION, "what the box makes of this CR is nested too deeply; flatten the CR's data")


async def handle(crd: Crd, item: Item, ports: Ports) -> Outcome:
    """Give one CR one turn."""
    cr = ports.view.get(item.ref)
    if cr is None:
        return Outcome(OutcomeKind.GONE)
    turn = start(crd, cr, item, ports)
    if deleting(cr):
        return await finish(turn, ports)  # No gate and no rendering: it must always be able to go.
    if settled.known(turn, ports):
        return settled.SETTLED
    passed = await gated(turn, item, ports)
    if passed.held:
        found = Outcome(OutcomeKind.GATED, passed.held.reason, gate=passed.held.gate, scope=passed.called.scope)
        return found._replace(notices=passed.notices)
    try:
        scope = await admitted(turn, passed.called.or_stop(), ports)
        scope = await called(turn, scope, ports)
        cycle = await realised(turn, scope, ports)
    except Stop as stop:
        cycle = Cycle(turn, stop.scope, stop.faults)
    except RecursionError:
        cycle = Cycle(turn, passed.called.scope, (TOO_DEEP,))
    found = outcome(await report(cycle, ports))
    found = found._replace(notices=(*passed.notices, *found.notices))
    return settled.noted(turn, found, ports)


def start(crd: Crd, cr: Object, item: Item, ports: Ports) -> Turn:
    """Return what is known before anything is evaluated."""
    children = by_key(ports.view.owned(uid(cr)))
    return Turn(crd, box_of(crd, cr), cr, ports.env(item), children, partial(ports.memory.recall, uid(cr)))


async def admitted(turn: Turn, scope: Scope, ports: Ports) -> Scope:
    """Apply the mutation rules to this cycle's copy of the CR, then hold it to the validation rules. Raises Stop."""
    crd, env = turn.crd, turn.env
    todo = [call for call in crd.rules.mutation_calls if rules.fires(call, Phase.RECONCILE)]
    scope = (await with_calls(todo, scope, env, ports)).or_stop()
    scope = rules.mutate(crd.rules, scope, env, Phase.RECONCILE)
    todo = [call for call in crd.rules.validation_calls if rules.fires(call, Phase.RECONCILE)]
    scope = (await with_calls(todo, scope, env, ports)).or_stop()
    found = rules.violations(crd.rules, scope, env, Phase.RECONCILE, partial(ports.view.find, crd.kind, "", {}))
    denied = [violation for violation in found if violation.deny]
    if denied:
        text = "; ".join(violation.message for violation in denied)
        raise Stop(scope, Fault(FaultKind.DENIED, text, denied[0].span))
    if crd.rules.assertions:
        await warn(turn, ports, [violation.message for violation in found])
    return scope


async def called(turn: Turn, scope: Scope, ports: Ports) -> Scope:
    """Make the calls of `onCreate`, while something of it is absent, and of `onReconcile`. Raises Stop."""
    box = turn.box
    if box.create_calls and creating(turn, scope):
        scope = (await with_calls(box.create_calls, scope, turn.env, ports)).or_stop()
    return (await with_calls(box.calls, scope, turn.env, ports)).or_stop()


async def realised(turn: Turn, scope: Scope, ports: Ports) -> Cycle:
    """Make the cluster what the box wants, and return the scope as it is after the writes. Raises Stop."""
    wanted = desired(turn, scope, await originals(turn, scope, ports))
    planned = plan(turn, wanted)
    turn = await marked(turn, scope, marks.before(turn, wanted, planned), ports)
    writer = Writer(turn, wanted, ports)
    await writer.carry_out((*planned.sweep, *planned.apply, *planned.status, *planned.prune))
    for text in writer.rewritten:
        await ports.cluster.event(turn.ref, "Warning", "FieldsRewritten", text, uid(turn.cr))
    scope = scopes.with_children(scope, turn, writer.live)
    faults = (*wanted.faults, *writer.faults)
    if not faults:
        turn = await marked(turn, scope, marks.after(turn, wanted, planned, writer.live), ports)
    return Cycle(turn, scope, faults, (*notices(scope), *writer.rewritten))


def outcome(cycle: Cycle) -> Outcome:
    """Return what the kordinator learns of a cycle."""
    if cycle.faults:
        denied = meaning(cycle.faults).again is Again.ON_CHANGE
        kind = OutcomeKind.DENIED if denied else OutcomeKind.FAILED
        first = cycle.faults[0]
        return Outcome(kind, first.message, first.after, faults=cycle.faults, scope=cycle.scope, notices=cycle.notices)
    turn, written = cycle.turn, cycle.written
    # Conditions saw the status as it was at the start: one that reads what has changed needs another turn.
    again = written is not None and status.read_by_conditions(turn.box, turn.cr, written)
    return Outcome(OutcomeKind.SETTLED, after=AT_ONCE if again else None, scope=cycle.scope, notices=cycle.notices)
