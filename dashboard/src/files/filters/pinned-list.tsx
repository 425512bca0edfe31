/** The pinned folders and the saved filters, shown above the tree. */
import { IconFilter, IconPinnedFilled, IconX } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { nameOf } from '../../state/paths.ts'
import { IconButton } from '../../ui/buttons.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { folderDropZone } from '../actions/drag.ts'
import { useFilesPage } from '../files-context.ts'
import { useFilesAddress } from '../listing/search.ts'
import classes from './filters.module.css'
import { useBookmarks } from './use-bookmarks.ts'
import { filterWords } from './words.ts'

export function PinnedList({ onPicked }: { onPicked(): void }) {
  const w = useWords(filterWords)
  const notify = useNotify()
  const { moveTo } = useFilesPage()
  const { folderHref } = useFilesAddress()
  const { bookmarks, save } = useBookmarks()
  const { ordner, filter } = bookmarks
  if (ordner.length + filter.length === 0) return null
  const saveBookmarks = (newBookmarks: typeof bookmarks) =>
    void save(newBookmarks).catch((error: Error) => notify.showError(error))
  return (
    <section aria-label={w.pinnedSection} className={classes.pinned}>
      <ul className={classes.pins}>
        {ordner.map(folder => (
          <li key={folder} className={classes.pin}>
            <Link
              href={folderHref(folder)}
              onClick={onPicked}
              title={folder}
              {...folderDropZone(folder, moveTo)}
            >
              <IconPinnedFilled size={16} aria-hidden />
              <span>{nameOf(folder)}</span>
            </Link>
            <IconButton
              icon={IconX}
              label={w.unpin(folder)}
              size={24}
              onClick={() => saveBookmarks({ ...bookmarks, ordner: ordner.filter(path => path !== folder) })}
            />
          </li>
        ))}
        {filter.map(({ name, abfrage }) => (
          <li key={name} className={classes.pin}>
            <Link href={`${PAGES.files}?${abfrage}`} onClick={onPicked} title={name}>
              <IconFilter size={16} aria-hidden />
              <span>{name}</span>
            </Link>
            <IconButton
              icon={IconX}
              label={w.deleteFilter(name)}
              size={24}
              onClick={() =>
                saveBookmarks({
                  ...bookmarks,
                  filter: filter.filter(savedFilter => savedFilter.name !== name),
                })
              }
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
