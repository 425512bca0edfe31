/** The files as a table, with a column for each property by which users compare files. */
import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { memo, useRef } from 'react'
import type { SortOrder } from '../../../../src/contract/files/choices.ts'
import { useFormat, useTexts, useWords } from '../../language/language.tsx'
import { folderOf, nameOf } from '../../state/paths.ts'
import { FilePreview } from '../../ui/files/file-preview.tsx'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import { useFilesPage } from '../files-context.ts'
import { defaultDirection, useFilesAddress } from '../listing/search.ts'
import { words } from '../words.ts'
import { type CardProps, type FilesViewProps, useCardState, useRenderedCards } from './card.tsx'
import { CardButtons } from './card-buttons.tsx'
import classes from './cards.module.css'
import { useRenderedRange } from './layout/use-rendered-range.ts'

/** Number of columns of the table, including the checkbox and the buttons. */
const COLUMN_COUNT = 8

export function FileList(props: FilesViewProps) {
  const { layout, isPageLoading } = props
  const w = useWords(words)
  const { viewOptions } = useFilesPage()
  const list = useRef<HTMLTableSectionElement>(null)
  const range = useRenderedRange(list, layout, viewOptions.hasInfiniteScrolling)
  const { boxes, headings, height } = layout
  const [from, to] = range
  const spaceAbove = headings.find(({ firstIndex }) => firstIndex === from)?.top ?? boxes[from]?.top ?? 0
  const lastBox = boxes[to - 1]
  return (
    <table className={classes.table} aria-label={w.files} data-turning={isPageLoading || undefined}>
      <thead>
        <tr>
          <td />
          <ColumnHeader name="name" />
          <ColumnHeader name="size" isRightAligned />
          <th data-right data-optional="last">
            {w.dimensions}
          </th>
          <ColumnHeader name="abrufe" isRightAligned displayPriority="first" />
          <ColumnHeader name="zuletzt_abgerufen" displayPriority="last" />
          <ColumnHeader name="updated_at" displayPriority="first" />
          <td data-optional="first" className={classes.actionsColumn} />
        </tr>
      </thead>
      <tbody ref={list} data-layout>
        <SpacerRow height={spaceAbove} />
        {useRenderedCards(props, range).map(({ key, index, ...cardProps }) => {
          const heading = headings.find(placedHeading => placedHeading.firstIndex === index)
          return [
            heading && (
              <tr key={heading.text} className={classes.headingRow}>
                <th colSpan={COLUMN_COUNT} scope="rowgroup">
                  {heading.text}
                </th>
              </tr>
            ),
            <Row key={key} {...cardProps} />,
          ]
        })}
        <SpacerRow height={lastBox ? height - lastBox.top - lastBox.height : 0} />
      </tbody>
    </table>
  )
}

/** An empty row in place of the rows that are too far out of view to be rendered. */
const SpacerRow = ({ height }: { height: number }) =>
  height > 0 && (
    <tr aria-hidden>
      <td colSpan={COLUMN_COUNT} className={classes.gap} style={{ height }} />
    </tr>
  )

interface HeaderProps {
  name: SortOrder
  isRightAligned?: boolean
  /**
   * If set, the column is hidden when space is short. Columns with `last` are hidden before those with
   * `first`.
   */
  displayPriority?: 'first' | 'last'
}

function ColumnHeader({ name, isRightAligned, displayPriority }: HeaderProps) {
  const w = useWords(words)
  const { search, setSearch } = useFilesAddress()
  const direction = search.richtung
  const isSortedByThis = search.sortierung === name
  const DirectionIcon = direction === 'ab' ? IconChevronDown : IconChevronUp
  const nextDirection = isSortedByThis ? (direction === 'auf' ? 'ab' : 'auf') : defaultDirection(name)
  return (
    <th
      data-right={isRightAligned || undefined}
      data-optional={displayPriority}
      aria-sort={isSortedByThis ? (direction === 'auf' ? 'ascending' : 'descending') : undefined}
    >
      <UnstyledButton
        className={classes.sortable}
        onClick={() => setSearch({ sortierung: name, richtung: nextDirection, seite: 1 })}
      >
        {w[name]}
        {isSortedByThis && <DirectionIcon size={14} aria-hidden />}
      </UnstyledButton>
    </th>
  )
}

const Row = memo(function Row(props: CardProps) {
  const { file, href, showsFolder } = props
  const format = useFormat()
  const name = nameOf(file.path)
  const { breite, hoehe, laenge } = file
  const { isHovered, attributes, isTabbable, checkbox } = useCardState(props)
  return (
    <tr className={classes.row} {...attributes}>
      <td>{checkbox}</td>
      <td className={classes.wide}>
        <a href={href} className={classes.rowLink} tabIndex={isTabbable ? 0 : -1} draggable={false}>
          <FilePreview file={file} size={36} withoutBadge />
          <span className={classes.text}>
            <MiddleTruncatedText>{name}</MiddleTruncatedText>
            {showsFolder && <span className={classes.sub}>{folderOf(file.path) || '/'}</span>}
          </span>
        </a>
      </td>
      <td data-right>{format.bytes(file.size)}</td>
      <td data-right data-optional="last">
        {breite !== undefined && hoehe !== undefined && format.dimensions(breite, hoehe)}
        {breite === undefined && laenge !== undefined && format.length(laenge)}
      </td>
      <td data-right data-optional="first">
        {format.number(file.abrufe)}
      </td>
      <td data-optional="last">
        <RelativeTime timestamp={file.zuletzt_abgerufen} />
      </td>
      <td data-optional="first">
        <RelativeTime timestamp={file.updated_at} />
      </td>
      <td data-optional="first">
        {(isHovered || isTabbable) && <CardButtons file={file} className={classes.rowActions} />}
      </td>
    </tr>
  )
})

/**
 * A relative time with the exact time as `title`: two hundred rows have two times each, and a tooltip
 * component for each of them would be slow.
 */
function RelativeTime({ timestamp }: { timestamp: number | null }) {
  const { w, format } = useTexts(words)
  if (timestamp === null) return w.never
  return (
    <time dateTime={new Date(timestamp).toISOString()} title={format.moment(timestamp)}>
      {format.relative(timestamp)}
    </time>
  )
}
