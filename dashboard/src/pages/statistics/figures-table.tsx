/** A table of folders or tokens, each with its retrievals, files and size. */
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../language/language.tsx'
import { DataTable } from '../../ui/lists/data-table.tsx'
import { TitledBox } from '../../ui/lists/titled-box.tsx'
import classes from './statistics.module.css'
import { words } from './words.ts'

interface RowFigures {
  dateien: number
  bytes: number
  abrufe: number
}

export interface FiguresTableProps<Row extends RowFigures> {
  title: string
  /** The heading above the names. */
  nameHeading: string
  rows: readonly Row[]
  /** Shown if there is no row. */
  emptyText: string
  rowKey(row: Row): string
  renderName(row: Row): ReactNode
}

export function FiguresTable<Row extends RowFigures>(props: FiguresTableProps<Row>) {
  const { title, nameHeading, rows, emptyText, rowKey, renderName } = props
  const { w, format } = useTexts(words)
  const figureColumn = (heading: string, cellText: (row: Row) => string) => ({
    key: heading,
    title: heading,
    align: 'right' as const,
    cell: (row: Row) => <span className={classes.figure}>{cellText(row)}</span>,
  })
  const columns = [
    {
      key: nameHeading,
      title: nameHeading,
      cell: (row: Row) => <span className={classes.name}>{renderName(row)}</span>,
    },
    figureColumn(w.retrievals, ({ abrufe }) => format.number(abrufe)),
    figureColumn(w.files, ({ dateien }) => format.number(dateien)),
    figureColumn(w.size, ({ bytes }) => format.bytes(bytes)),
  ]
  return (
    <TitledBox title={title}>
      {rows.length === 0 ? (
        <Text c="dimmed">{emptyText}</Text>
      ) : (
        <DataTable label={title} columns={columns} rows={rows} rowKey={rowKey} minWidth={300} compact />
      )}
    </TitledBox>
  )
}
