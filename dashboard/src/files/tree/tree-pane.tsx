/** The pane with the folder tree at the left, which can be resized; in a narrow window it is a drawer. */
import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { ownValue } from '../../../../src/contract/values/own-value.ts'
import { useWords } from '../../language/language.tsx'
import { pressedKeysOf } from '../../state/pressed-keys.ts'
import { words } from '../words.ts'
import classes from './tree-pane.module.css'
import { TREE_WIDTH, useTreeWidth } from './use-tree-width.ts'

const RESIZE_STEP_PX = 16
/** In a window that matches, the tree is beside the files; otherwise it opens as a drawer. */
const WIDE_WINDOW_QUERY = '(min-width: 62em)'

export const useIsWindowWide = () => useMediaQuery(WIDE_WINDOW_QUERY, matchMedia(WIDE_WINDOW_QUERY).matches)

export interface TreePaneProps {
  /** Whether there is room for the tree beside the files. */
  isWide: boolean
  isShown: boolean
  /** Closes the drawer in a narrow window. */
  onClose(): void
  children: ReactNode
}

export function TreePane({ isWide, isShown, onClose, children }: TreePaneProps) {
  const w = useWords(words)
  const [width, setWidth] = useTreeWidth()
  if (isWide && !isShown) return null
  if (isWide) {
    return (
      <div className={classes.pane} style={{ width }} data-own-keys>
        <nav aria-label={w.folders} className={classes.inside}>
          {children}
        </nav>
        <ResizeHandle width={width} onResize={setWidth} />
      </div>
    )
  }
  return (
    <Drawer
      opened={isShown}
      onClose={onClose}
      title={w.folders}
      size={320}
      closeButtonProps={{ 'aria-label': w.close }}
      styles={{ body: { height: 'calc(100% - 60px)', display: 'flex' } }}
    >
      {children}
    </Drawer>
  )
}

function ResizeHandle({ width, onResize }: { width: number; onResize(width: number): void }) {
  const w = useWords(words)
  const [dragStart, setDragStart] = useState<{ x: number; width: number } | null>(null)
  const startDrag = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    setDragStart({ x: event.clientX, width })
  }
  const handleKey = (event: KeyboardEvent) => {
    const step = ownValue({ ArrowLeft: -RESIZE_STEP_PX, ArrowRight: RESIZE_STEP_PX }, pressedKeysOf(event))
    if (step === undefined) return
    event.preventDefault()
    onResize(width + step)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that can be moved is a separator with a value, not a rule
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={w.treeWidth}
      aria-valuenow={width}
      aria-valuemin={TREE_WIDTH.min}
      aria-valuemax={TREE_WIDTH.max}
      tabIndex={0}
      className={classes.handle}
      data-dragging={dragStart !== null || undefined}
      onPointerDown={startDrag}
      onPointerMove={event => dragStart && onResize(dragStart.width + event.clientX - dragStart.x)}
      onPointerUp={() => setDragStart(null)}
      onPointerCancel={() => setDragStart(null)}
      onDoubleClick={() => onResize(TREE_WIDTH.initial)}
      onKeyDown={handleKey}
    />
  )
}
