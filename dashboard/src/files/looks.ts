/** How the gallery looks: preferences of this browser, not parts of the address. */
import { useMemo } from 'react'
import { useStored } from '../state/use-stored.ts'

export const VIEWS = ['rows', 'grid', 'list'] as const
/** `rows`: justified; `grid`: squares. */
export type View = (typeof VIEWS)[number]

/** Widths of a card, in pixels. */
export const TILE = { min: 96, max: 352, step: 32 } as const

export interface Looks {
  view: View
  /** The least width of a card in pixels; rows follow it. */
  tile: number
  /** Whether rows have the names below their pictures. */
  names: boolean
  /** Whether the next page follows by itself. */
  onward: boolean
  /** Whether the tree is folded away. */
  treeFolded: boolean
}

export const FIRST_LOOKS: Looks = { view: 'rows', tile: 160, names: true, onward: false, treeFolded: false }

export type SetLooks = (change: Partial<Looks>) => void

export function useLooks(): { looks: Looks; setLooks: SetLooks } {
  const [view, setView] = useStored('fundus-ansicht', FIRST_LOOKS.view)
  const [tile, setTile] = useStored('fundus-kachel', FIRST_LOOKS.tile)
  const [names, setNames] = useStored('fundus-namen', FIRST_LOOKS.names)
  const [onward, setOnward] = useStored('fundus-weiter', FIRST_LOOKS.onward)
  const [treeFolded, setTreeFolded] = useStored('fundus-baum-zu', FIRST_LOOKS.treeFolded)
  return useMemo(
    () => ({
      looks: { view, tile, names, onward, treeFolded },
      setLooks(change) {
        if (change.view !== undefined) setView(change.view)
        if (change.tile !== undefined) setTile(change.tile)
        if (change.names !== undefined) setNames(change.names)
        if (change.onward !== undefined) setOnward(change.onward)
        if (change.treeFolded !== undefined) setTreeFolded(change.treeFolded)
      },
    }),
    [view, tile, names, onward, treeFolded, setView, setTile, setNames, setOnward, setTreeFolded],
  )
}
