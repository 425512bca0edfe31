/** The files as a table, with the columns by which files are compared. */
import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { memo } from 'react'
import type { SortOrder } from '../../../../src/contract/values/limits.ts'
import { useFormat, useTexts, useWords } from '../../language/language.tsx'
import { folderOf, nameOf } from '../../state/paths.ts'
import { FilePreview } from '../../ui/files/file-preview.tsx'
import { MiddleCut } from '../../ui/files/middle-cut.tsx'
import { naturalDirection, useFilesAddress } from '../listing/search.ts'
import { words } from '../words.ts'
import { CardButtons, type CardProps, type FilesProps, useCard, useCards } from './card.tsx'
import classes from './cards.module.css'

/** Number of columns of the table, including the checkbox and the buttons. */
const COLUMNS = 8

export function FileList({ files, layout, range, turning }: FilesProps) {
  const w = useWords(words)
  const { boxes, headings, height } = layout
  const [from, to] = range
  const first = headings.find(({ at }) => at === from)?.top ?? boxes[from]?.top ?? 0
  const last = boxes[to - 1]
  return (
    <table className={classes.table} aria-label={w.files} data-turning={turning || undefined}>
      <thead>
        <tr>
          <td />
          <Header name="name" />
          <Header name="size" right />
          <th data-right data-optional="last">
            {w.dimensions}
          </th>
          <Header name="abrufe" right optional="first" />
          <Header name="zuletzt_abgerufen" optional="last" />
          <Header name="updated_at" optional="first" />
          <td data-optional="first" className={classes.actionsColumn} />
        </tr>
      </thead>
      <tbody data-layout>
        <Gap height={first} />
        {useCards(files, range).map(({ key, at, ...card }) => {
          const heading = headings.find(each => each.at === at)
          return [
            heading && (
              <tr key={heading.text} className={classes.headingRow}>
                <th colSpan={COLUMNS} scope="rowgroup">
                  {heading.text}
                </th>
              </tr>
            ),
            <Row key={key} {...card} />,
          ]
        })}
        <Gap height={last ? height - last.top - last.height : 0} />
      </tbody>
    </table>
  )
}

/** An empty row in place of the rows that are out of sight and not rendered. */
const Gap = ({ height }: { height: number }) =>
  height > 0 && (
    <tr aria-hidden>
      <td colSpan={COLUMNS} className={classes.gap} style={{ height }} />
    </tr>
  )

interface HeaderProps {
  name: SortOrder
  right?: boolean
  /** Whether the column is hidden first or last if there is too little space. */
  optional?: 'first' | 'last'
}

function Header({ name, right, optional }: HeaderProps) {
  const w = useWords(words)
  const { search, setSearch } = useFilesAddress()
  const direction = search.richtung
  const mine = search.sortierung === name
  const Arrow = direction === 'ab' ? IconChevronDown : IconChevronUp
  const next = mine ? (direction === 'auf' ? 'ab' : 'auf') : naturalDirection(name)
  return (
    <th
      data-right={right || undefined}
      data-optional={optional}
      aria-sort={mine ? (direction === 'auf' ? 'ascending' : 'descending') : undefined}
    >
      <UnstyledButton
        className={classes.sortable}
        onClick={() => setSearch({ sortierung: name, richtung: next, seite: 1 })}
      >
        {w[name]}
        {mine && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    </th>
  )
}

const Row = memo(function Row(props: CardProps) {
  const { file, href, showFolder } = props
  const format = useFormat()
  const name = nameOf(file.path)
  const { breite, hoehe, laenge } = file
  const { pointed, marks, tabbable, box } = useCard(props)
  return (
    <tr className={classes.row} {...marks}>
      <td>{box}</td>
      <td className={classes.wide}>
        <a href={href} className={classes.rowLink} tabIndex={tabbable ? 0 : -1} draggable={false}>
          <FilePreview file={file} size={36} plain />
          <span className={classes.text}>
            <MiddleCut>{name}</MiddleCut>
            {showFolder && <span className={classes.sub}>{folderOf(file.path) || '/'}</span>}
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
        <Moment at={file.zuletzt_abgerufen} />
      </td>
      <td data-optional="first">
        <Moment at={file.updated_at} />
      </td>
      <td data-optional="first">
        {(pointed || tabbable) && <CardButtons file={file} className={classes.rowActions} />}
      </td>
    </tr>
  )
})

/** A time with the tooltip of the browser, which is cheaper for two hundred rows with two times each. */
function Moment({ at }: { at: number | null }) {
  const { w, format } = useTexts(words)
  if (at === null) return w.never
  return (
    <time dateTime={new Date(at).toISOString()} title={format.moment(at)}>
      {format.relative(at)}
    </time>
  )
}
