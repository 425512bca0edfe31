/** The pane with the folder tree at the left, which can be resized; in a narrow window it is a drawer. */
import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { ownValue } from '../../../../src/contract/values/own-value.ts'
import { useWords } from '../../language/language.tsx'
import { keysOf } from '../../ui/keys/keys.ts'
import { words } from '../words.ts'
import { TREE_WIDTH, useTreeWidth } from './remembered.ts'
import classes from './tree.module.css'

const STEP = 16
/** From this width on, the tree is beside the files; below it, the page has a single column. */
const WIDE = '(min-width: 62em)'

export const useIsWide = () => useMediaQuery(WIDE, matchMedia(WIDE).matches)

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
        <Handle width={width} onWidth={setWidth} />
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

function Handle({ width, onWidth }: { width: number; onWidth(width: number): void }) {
  const w = useWords(words)
  const [from, setFrom] = useState<{ x: number; width: number } | null>(null)
  const grab = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    setFrom({ x: event.clientX, width })
  }
  const press = (event: KeyboardEvent) => {
    const step = ownValue({ ArrowLeft: -STEP, ArrowRight: STEP }, keysOf(event))
    if (step === undefined) return
    event.preventDefault()
    onWidth(width + step)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that can be moved is a separator with a value, not a rule
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={w.treeWidth}
      aria-valuenow={width}
      aria-valuemin={TREE_WIDTH.least}
      aria-valuemax={TREE_WIDTH.most}
      tabIndex={0}
      className={classes.handle}
      data-dragging={from !== null || undefined}
      onPointerDown={grab}
      onPointerMove={event => from && onWidth(from.width + event.clientX - from.x)}
      onPointerUp={() => setFrom(null)}
      onPointerCancel={() => setFrom(null)}
      onDoubleClick={() => onWidth(TREE_WIDTH.first)}
      onKeyDown={press}
    />
  )
}
