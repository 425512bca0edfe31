/** The width of the folder tree, which the browser stores. */
import { useStoredState } from '../../state/use-stored.ts'

/** The limits and the initial value of the width, in pixels. */
export const TREE_WIDTH = { min: 160, max: 480, initial: 216 } as const

const clampWidth = (width: number) => Math.min(TREE_WIDTH.max, Math.max(TREE_WIDTH.min, Math.round(width)))

export function useTreeWidth() {
  const [width, storeWidth] = useStoredState<number>('fundus-baum-breite', TREE_WIDTH.initial)
  return [clampWidth(width), (newWidth: number) => storeWidth(clampWidth(newWidth))] as const
}
