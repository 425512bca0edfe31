/** The subfolders of the open folder as cards. If there are many, they are shown in portions. */
import { Button, Text } from '@mantine/core'
import { IconDots, IconFolder } from '@tabler/icons-react'
import { type MouseEvent, useState } from 'react'
import { Link } from 'wouter'
import { useTexts, useWords } from '../../language/language.tsx'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import { RovingFocus } from '../../ui/keys/roving-focus.tsx'
import { words as sharedWords } from '../../ui/words.ts'
import { folderDragProps, folderDropZone } from '../actions/drag.ts'
import { useFilesPage } from '../files-context.ts'
import { useFilesAddress } from '../listing/search.ts'
import type { Folder } from '../types.ts'
import { actionWords, words } from '../words.ts'
import classes from './cards.module.css'

/** Number of subfolders that are shown at first. */
const INITIAL_FOLDER_COUNT = 24
/** Number of further subfolders that a click on the button below them shows. */
const FOLDERS_PER_CLICK = 120

export function FolderCards({ folders }: { folders: readonly Folder[] }) {
  const { openMenu, moveTo } = useFilesPage()
  const { folderHref } = useFilesAddress()
  const { w, format } = useTexts(words)
  const a = useWords(actionWords)
  const { folderFigures } = useWords(sharedWords)
  const [shownCount, setShownCount] = useState(INITIAL_FOLDER_COUNT)
  if (folders.length === 0) return null
  const hiddenCount = Math.max(0, folders.length - shownCount)
  const menuOpener = (path: string) => (event: MouseEvent) => {
    event.preventDefault()
    const { left, bottom } = event.currentTarget.getBoundingClientRect()
    const position =
      event.type === 'contextmenu' ? { x: event.clientX, y: event.clientY } : { x: left, y: bottom }
    openMenu({ target: path, ...position, returnFocusTo: document.activeElement })
  }
  return (
    <RovingFocus role="group" label={w.folders}>
      <ul className={classes.folders} aria-label={w.folders}>
        {folders.slice(0, shownCount).map(({ name, pfad, dateien, bytes }) => (
          <li
            key={pfad}
            className={classes.folder}
            data-folder={pfad}
            onContextMenu={menuOpener(pfad)}
            {...folderDragProps(pfad, name)}
            {...folderDropZone(pfad, moveTo)}
          >
            <Link href={folderHref(pfad)} className={classes.folderLink} draggable={false}>
              <IconFolder size={24} stroke={1.5} aria-hidden />
              <span className={classes.text}>
                <MiddleTruncatedText>{name}</MiddleTruncatedText>
                <Text size="xs" c="dimmed" component="span" truncate>
                  {folderFigures(dateien, format.number(dateien), format.bytes(bytes))}
                </Text>
              </span>
            </Link>
            <button
              type="button"
              className={classes.folderMore}
              aria-label={a.moreOf(name)}
              aria-haspopup="menu"
              onClick={menuOpener(pfad)}
            >
              <IconDots size={18} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {hiddenCount > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          mb="md"
          onClick={() => setShownCount(shownCount + FOLDERS_PER_CLICK)}
        >
          {w.moreFolders(format.number(Math.min(hiddenCount, FOLDERS_PER_CLICK)))}
        </Button>
      )}
    </RovingFocus>
  )
}
