/**
 * What the service may hold after a crash, path by path. Every write and delete is an interval on one logical
 * clock, from sending its request to its answer; without an answer it may have happened or not. A state is
 * acceptable if its operation had begun, and no answered operation lies entirely between its end and the
 * read: linearizability of a register, as the specification promises for a path.
 */
export type State = string | null // SHA-256 of the content, or null: no file

export interface Operation {
  readonly path: string
  readonly effect: State
  readonly begun: number
  ended: number
}

export type Model = ReturnType<typeof createModel>

export function createModel() {
  const operations = new Map<string, Operation[]>()
  let clock = 0

  const of = (path: string) =>
    operations.getOrInsertComputed(path, () => [{ path, effect: null, begun: -2, ended: -1 }])

  const visible = (list: Operation[], from: number, until: number) => {
    // The latest beginning among the operations that ended before the read began.
    const latest = Math.max(...list.filter(({ ended }) => ended < from).map(({ begun }) => begun))
    return list.filter(({ begun, ended }) => begun < until && ended >= latest)
  }

  return {
    now: () => ++clock,
    begin(path: string, effect: State): Operation {
      const operation = { path, effect, begun: ++clock, ended: Number.POSITIVE_INFINITY }
      of(path).push(operation)
      return operation
    },
    /** The service answered that it has happened. */
    acknowledge(operation: Operation) {
      operation.ended = ++clock
    },
    /** The service answered that it has not happened, and never will (404, 409). */
    withdraw(operation: Operation) {
      const list = of(operation.path)
      list.splice(list.indexOf(operation), 1)
    },
    /** All states that a read of the path between these two times may find. */
    acceptable: (path: string, from: number, until: number): Set<State> =>
      new Set(visible(of(path), from, until).map(each => each.effect)),
    /** Records the state read while no operation was in progress; this settles unanswered operations. */
    settle(path: string, state: State) {
      operations.set(path, [{ path, effect: state, begun: ++clock, ended: ++clock }])
      // An empty path needs no record: an unknown path is judged the same.
      if (state === null) operations.delete(path)
    },
    paths: () => [...operations.keys()],
    /** Paths that probably have a file; a hint for clients. */
    occupied: () =>
      [...operations].flatMap(([path, list]) => (list.some(each => each.effect !== null) ? [path] : [])),
  }
}
