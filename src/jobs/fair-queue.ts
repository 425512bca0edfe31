/** A round-robin queue: the clients take turns, however many items each of them has in the queue. */
export type FairQueue<Item> = ReturnType<typeof createFairQueue<Item>>

export function createFairQueue<Item>() {
  /**
   * The waiting items of each client. The entries are in the order in which the clients are served: a client
   * that was just served moves to the end.
   */
  const lanesByClient = new Map<string, Set<Item>>()

  function removeFromLane(client: string, item: Item): void {
    const lane = lanesByClient.get(client)!
    lane.delete(item)
    if (lane.size === 0) lanesByClient.delete(client)
  }

  return {
    add(client: string, item: Item) {
      const lane = lanesByClient.get(client) ?? new Set()
      lanesByClient.set(client, lane.add(item))
    },
    /**
     * Removes and returns the first item that `mayTake` allows, with its client; undefined if there is none.
     * That client moves behind all other waiting clients.
     */
    take(mayTake: (item: Item, client: string) => boolean) {
      for (const [client, lane] of lanesByClient) {
        for (const item of lane) {
          if (!mayTake(item, client)) continue
          lanesByClient.delete(client)
          lanesByClient.set(client, lane)
          removeFromLane(client, item)
          return { client, item }
        }
      }
      return undefined
    },
    has: (item: Item) => lanesByClient.values().some(lane => lane.has(item)),
    /** Removes an item and returns its client; undefined if the item was not in the queue. */
    remove(item: Item) {
      const client = lanesByClient.entries().find(([, lane]) => lane.has(item))?.[0]
      if (client !== undefined) removeFromLane(client, item)
      return client
    },
    countOf: (client: string) => lanesByClient.get(client)?.size ?? 0,
    /** Removes and returns all items. */
    drain() {
      const items = [...lanesByClient.values()].flatMap(lane => [...lane])
      lanesByClient.clear()
      return items
    },
  }
}
