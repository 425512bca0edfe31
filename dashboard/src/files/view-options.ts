/** The appearance of the gallery: preferences that this browser stores and that are not in the address. */
import { useMemo } from 'react'
import { useStoredState } from '../state/use-stored.ts'

export const VIEWS = ['rows', 'grid', 'list'] as const
/** `rows`: justified rows; `grid`: squares; `list`: a table. */
export type View = (typeof VIEWS)[number]

/** Limits and step of `ViewOptions.cardWidth`, in pixels. */
export const CARD_WIDTH_RANGE = { min: 96, max: 352, step: 32 } as const

export interface ViewOptions {
  view: View
  /**
   * In the view `grid`, the minimum width of a card in pixels, unless the window is too narrow. In `rows`, it
   * determines the height of the rows.
   */
  cardWidth: number
  /** Whether file names are shown below the pictures in the view `rows`. */
  showsNames: boolean
  /** Whether scrolling to the end loads the next page. */
  hasInfiniteScrolling: boolean
  /** Whether the folder tree is hidden. */
  isTreeHidden: boolean
}

export const DEFAULT_VIEW_OPTIONS: ViewOptions = {
  view: 'rows',
  cardWidth: 160,
  showsNames: true,
  hasInfiniteScrolling: false,
  isTreeHidden: false,
}

export type SetViewOptions = (change: Partial<ViewOptions>) => void

export function useViewOptions(): { viewOptions: ViewOptions; setViewOptions: SetViewOptions } {
  const [view, setView] = useStoredState('fundus-ansicht', DEFAULT_VIEW_OPTIONS.view)
  const [cardWidth, setCardWidth] = useStoredState('fundus-kachel', DEFAULT_VIEW_OPTIONS.cardWidth)
  const [showsNames, setShowsNames] = useStoredState('fundus-namen', DEFAULT_VIEW_OPTIONS.showsNames)
  const [hasInfiniteScrolling, setInfiniteScrolling] = useStoredState(
    'fundus-weiter',
    DEFAULT_VIEW_OPTIONS.hasInfiniteScrolling,
  )
  const [isTreeHidden, setTreeHidden] = useStoredState('fundus-baum-zu', DEFAULT_VIEW_OPTIONS.isTreeHidden)
  return useMemo(
    () => ({
      viewOptions: { view, cardWidth, showsNames, hasInfiniteScrolling, isTreeHidden },
      setViewOptions(change) {
        if (change.view !== undefined) setView(change.view)
        if (change.cardWidth !== undefined) setCardWidth(change.cardWidth)
        if (change.showsNames !== undefined) setShowsNames(change.showsNames)
        if (change.hasInfiniteScrolling !== undefined) setInfiniteScrolling(change.hasInfiniteScrolling)
        if (change.isTreeHidden !== undefined) setTreeHidden(change.isTreeHidden)
      },
    }),
    [
      view,
      cardWidth,
      showsNames,
      hasInfiniteScrolling,
      isTreeHidden,
      setView,
      setCardWidth,
      setShowsNames,
      setInfiniteScrolling,
      setTreeHidden,
    ],
  )
}
