/**
 * The appearance of the gallery: preferences that are stored in this browser and are not part of the address.
 */
import { useMemo } from 'react'
import { useStored } from '../state/use-stored.ts'

export const VIEWS = ['rows', 'grid', 'list'] as const
/** `rows`: justified rows; `grid`: squares; `list`: a table. */
export type View = (typeof VIEWS)[number]

/** Limits and step of `Looks.tile`, the minimum width of a card in pixels. */
export const TILE_WIDTH = { min: 96, max: 352, step: 32 } as const

export interface Looks {
  view: View
  /** The minimum width of a card in pixels, which also determines the height of rows. */
  tile: number
  /** Whether names are shown below the pictures of rows. */
  names: boolean
  /** Whether scrolling to the end loads the next page. */
  isEndless: boolean
  /** Whether the folder tree is hidden. */
  treeFolded: boolean
}

export const DEFAULT_LOOKS: Looks = {
  view: 'rows',
  tile: 160,
  names: true,
  isEndless: false,
  treeFolded: false,
}

export type SetLooks = (change: Partial<Looks>) => void

export function useLooks(): { looks: Looks; setLooks: SetLooks } {
  const [view, setView] = useStored('fundus-ansicht', DEFAULT_LOOKS.view)
  const [tile, setTile] = useStored('fundus-kachel', DEFAULT_LOOKS.tile)
  const [names, setNames] = useStored('fundus-namen', DEFAULT_LOOKS.names)
  const [isEndless, setEndless] = useStored('fundus-weiter', DEFAULT_LOOKS.isEndless)
  const [treeFolded, setTreeFolded] = useStored('fundus-baum-zu', DEFAULT_LOOKS.treeFolded)
  return useMemo(
    () => ({
      looks: { view, tile, names, isEndless, treeFolded },
      setLooks(change) {
        if (change.view !== undefined) setView(change.view)
        if (change.tile !== undefined) setTile(change.tile)
        if (change.names !== undefined) setNames(change.names)
        if (change.isEndless !== undefined) setEndless(change.isEndless)
        if (change.treeFolded !== undefined) setTreeFolded(change.treeFolded)
      },
    }),
    [view, tile, names, isEndless, treeFolded, setView, setTile, setNames, setEndless, setTreeFolded],
  )
}
