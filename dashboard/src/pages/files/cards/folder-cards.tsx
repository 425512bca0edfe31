/** The subfolders of the open folder; a great many are shown in portions. */
import { Button, Text } from '@mantine/core'
import { IconDots, IconFolder } from '@tabler/icons-react'
import { type MouseEvent, useState } from 'react'
import { Link } from 'wouter'
import { useTexts, useWords } from '../../../language/language.tsx'
import { MiddleCut } from '../../../parts/middle-cut.tsx'
import { type Dragged, dropTarget, endDrag, startDrag } from '../actions/drag.ts'
import type { Folder } from '../types.ts'
import { actionWords, words } from '../words.ts'
import { MAY_DRAG } from './card.tsx'
import classes from './cards.module.css'

const FIRST = 24
const PORTION = 120

export interface FolderCardsProps {
  folders: readonly Folder[]
  hrefOf(path: string): string
  onMenu(path: string, at: { x: number; y: number }): void
  onDrop(what: Dragged, folder: string): void
}

export function FolderCards({ folders, hrefOf, onMenu, onDrop }: FolderCardsProps) {
  const { w, format } = useTexts(words)
  const a = useWords(actionWords)
  const [shown, setShown] = useState(FIRST)
  if (folders.length === 0) return null
  const hidden = Math.max(0, folders.length - shown)
  const menu = (path: string) => (event: MouseEvent) => {
    event.preventDefault()
    const { left, bottom } = event.currentTarget.getBoundingClientRect()
    onMenu(
      path,
      event.type === 'contextmenu' ? { x: event.clientX, y: event.clientY } : { x: left, y: bottom },
    )
  }
  return (
    <>
      <ul className={classes.folders} aria-label={w.folders}>
        {folders.slice(0, shown).map(({ name, pfad, dateien, bytes }) => (
          <li
            key={pfad}
            className={classes.folder}
            draggable={MAY_DRAG}
            onDragStart={event => startDrag(event.dataTransfer, { folder: pfad }, name)}
            onDragEnd={endDrag}
            onContextMenu={menu(pfad)}
            {...dropTarget(pfad, onDrop)}
          >
            <Link href={hrefOf(pfad)} className={classes.folderLink} draggable={false}>
              <IconFolder size={24} stroke={1.5} aria-hidden />
              <span className={classes.folderText}>
                <MiddleCut>{name}</MiddleCut>
                <Text size="xs" c="dimmed" component="span" truncate>
                  {w.folderFigures(dateien, format.number(dateien), format.bytes(bytes))}
                </Text>
              </span>
            </Link>
            <button
              type="button"
              className={classes.folderMore}
              aria-label={a.moreOf(name)}
              aria-haspopup="menu"
              onClick={menu(pfad)}
            >
              <IconDots size={18} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="subtle" size="compact-sm" mb="md" onClick={() => setShown(shown + PORTION)}>
          {w.moreFolders(format.number(Math.min(hidden, PORTION)))}
        </Button>
      )}
    </>
  )
}
