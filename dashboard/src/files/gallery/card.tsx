/**
 * Files as cards, in justified rows or as squares. The gallery handles clicks, touches and dragging for all
 * cards (`use-card-events`).
 */
import { type CSSProperties, memo, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useFormat, useWords } from '../../language/language.tsx'
import type { FilesSearch } from '../../state/addresses.ts'
import { folderOf, nameOf } from '../../state/paths.ts'
import { hasMinimumRole } from '../../state/rights.ts'
import { useSelection } from '../../state/selection.ts'
import { FilePreview } from '../../ui/files/file-preview.tsx'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import { CAN_DRAG } from '../actions/drag.ts'
import { useFilesPage } from '../files-context.ts'
import { createFileHrefBuilder, useFilesAddress } from '../listing/search.ts'
import type { FileSelection } from '../target.ts'
import type { FileAnswer } from '../types.ts'
import { words } from '../words.ts'
import { CardButtons } from './card-buttons.tsx'
import classes from './cards.module.css'
import type { Box, Layout } from './layout/layout.ts'
import { type IndexRange, useRenderedRange } from './layout/use-rendered-range.ts'
import { useSharperAddress } from './sharper-size.ts'
import { type CardSlots, recycleSlots } from './slots.ts'

/**
 * A card gets the state of the page by props and does not read the context of the page: `memo` does not
 * prevent the rerendering of a component whose context changes.
 */
export interface CardProps {
  file: FileAnswer
  selection: FileSelection
  /** The address of the file in the dashboard, which a click with the middle button opens. */
  href: string
  isOpened: boolean
  /** Whether to show the folder of the file, because the listed files may be in several folders. */
  showsFolder: boolean
}

export interface FilesViewProps {
  files: readonly FileAnswer[]
  layout: Layout
  /** Whether the files of another page or order are loading, which will replace these. */
  isPageLoading: boolean
}

/** The props of a rendered card, with the index of its file in the list. */
export interface PlacedCard extends CardProps {
  /** The React key of the element that shows the file (`CardSlots`). */
  key: number | undefined
  index: number
}

export function useRenderedCards(
  { files, isPageLoading }: FilesViewProps,
  [from, to]: IndexRange,
): PlacedCard[] {
  const { selection } = useFilesPage()
  const search = useSearchOfShownFiles(isPageLoading)
  const slots = useSlots(files)
  const hrefOf = createFileHrefBuilder(search)
  const showsFolder = search.suche !== '' || search.unterordner
  return files.slice(from, to).map((file, offset) => ({
    index: from + offset,
    key: slots.get(file.id),
    file,
    selection,
    href: hrefOf(file),
    isOpened: file.path === search.datei,
    showsFolder,
  }))
}

/**
 * The search to which the shown files belong. While other files are loading, this is the previous search, so
 * that the shown cards are not rerendered just before they are replaced.
 */
function useSearchOfShownFiles(isPageLoading: boolean): FilesSearch {
  const { search } = useFilesAddress()
  const lastSearch = useRef(search)
  useLayoutEffect(() => {
    if (!isPageLoading) lastSearch.current = search
  }, [search, isPageLoading])
  return isPageLoading ? lastSearch.current : search
}

function useSlots(files: readonly FileAnswer[]): CardSlots {
  const lastSlots = useRef<CardSlots>(new Map())
  const slots = useMemo(
    () =>
      recycleSlots(
        lastSlots.current,
        files.map(({ id }) => id),
      ),
    [files],
  )
  useLayoutEffect(() => {
    lastSlots.current = slots
  }, [slots])
  return slots
}

export function FileCards(props: FilesViewProps) {
  const { layout, isPageLoading } = props
  const w = useWords(words)
  const { viewOptions } = useFilesPage()
  const list = useRef<HTMLUListElement>(null)
  const range = useRenderedRange(list, layout, viewOptions.hasInfiniteScrolling)
  const { boxes, headings, height } = layout
  return (
    <ul
      ref={list}
      className={classes.files}
      aria-label={w.files}
      data-layout
      data-view={viewOptions.view}
      data-names={viewOptions.showsNames || undefined}
      data-turning={isPageLoading || undefined}
      style={{ height }}
    >
      {useRenderedCards(props, range).map(({ key, index, ...cardProps }) => {
        const heading = headings.find(placedHeading => placedHeading.firstIndex === index)
        const box = boxes[index]
        // Only for the type checker: the layout has a box for each file.
        if (!box) return null
        return [
          heading && (
            <li key={heading.text} className={classes.heading} style={{ top: heading.top }}>
              <h2>{heading.text}</h2>
            </li>
          ),
          <Card key={key} {...cardProps} {...box} isRow={viewOptions.view === 'rows'} />,
        ]
      })}
    </ul>
  )
}

/**
 * A card of a file. Its position is passed as separate numbers, so that `memo` skips a card whose position
 * has not changed.
 */
const Card = memo(function Card(props: CardProps & Box & { isRow: boolean }) {
  const { file, href, showsFolder, isRow, left, top, width, height } = props
  const format = useFormat()
  const name = nameOf(file.path)
  const { isHovered, attributes, isTabbable, checkbox } = useCardState(props)
  const sharperAddressOf = useSharperAddress()
  const space = { width, height: isRow ? height : width }
  const position: CSSProperties = { left, top, width, height }
  return (
    <li
      className={classes.card}
      {...attributes}
      style={position}
      data-plain={file.vorschau === null || undefined}
    >
      <a href={href} className={classes.link} tabIndex={isTabbable ? 0 : -1} draggable={false}>
        <FilePreview
          file={file}
          {...(isRow && { availableSize: space })}
          sharperAddress={sharperAddressOf(file, space)}
        />
        <span className={classes.name}>
          <MiddleTruncatedText>{name}</MiddleTruncatedText>
        </span>
        <span className={classes.sub}>
          {showsFolder ? `${folderOf(file.path) || '/'} · ` : ''}
          {format.bytes(file.size)}
        </span>
      </a>
      {checkbox}
      {(isHovered || isTabbable) && <CardButtons file={file} className={classes.actions} />}
    </li>
  )
})

/**
 * The state that a card and a table row share: selection, Tab stop, whether the pointer is on it, the
 * checkbox, and the attributes of its element. `CardButtons` are rendered only while the pointer is on the
 * card or the card is the Tab stop: the buttons of two hundred cards would be half of the elements of the
 * page.
 */
export function useCardState({ file: { id, path }, selection, isOpened }: CardProps) {
  const w = useWords(words)
  const isSelected = useSelection(selection, current => current.isSelected(id))
  const isTabbable = useSelection(selection, current => current.isTabbable(id))
  const [isHovered, setHovered] = useState(false)
  const attributes = {
    'data-file': id,
    'data-selected': isSelected || undefined,
    'data-opened': isOpened || undefined,
    draggable: CAN_DRAG && hasMinimumRole('redaktion'),
    onPointerEnter: () => setHovered(true),
    onPointerLeave: () => setHovered(false),
  }
  // Only accounts with the role `redaktion` (editor) or a higher one can select files.
  const checkbox = hasMinimumRole('redaktion') && (
    <input
      type="checkbox"
      className={classes.check}
      checked={isSelected}
      readOnly
      tabIndex={isTabbable ? 0 : -1}
      aria-label={w.select(nameOf(path))}
    />
  )
  return { attributes, isTabbable, isHovered, checkbox }
}
