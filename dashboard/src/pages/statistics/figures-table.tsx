/** Parts of the whole, each with its retrievals, files and size: folders or tokens. */
import { Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../language/language.tsx'
import { Box } from '../../parts/box.tsx'
import classes from './statistics.module.css'
import { words } from './words.ts'

interface Part {
  dateien: number
  bytes: number
  abrufe: number
}

export interface FiguresTableProps<Row extends Part> {
  title: string
  /** Above the names. */
  column: string
  rows: readonly Row[]
  /** Said where there is no row. */
  empty: string
  rowKey(row: Row): string
  name(row: Row): ReactNode
}

export function FiguresTable<Row extends Part>(props: FiguresTableProps<Row>) {
  const { title, column, rows, empty, rowKey, name } = props
  const { w, format } = useTexts(words)
  return (
    <Box title={title}>
      {rows.length === 0 ? (
        <Text c="dimmed">{empty}</Text>
      ) : (
        <Table aria-label={title} verticalSpacing={6} horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{column}</Table.Th>
              {[w.retrievals, w.files, w.size].map(each => (
                <Table.Th key={each} ta="right">
                  {each}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(row => (
              <Table.Tr key={rowKey(row)}>
                <Table.Td className={classes.name}>{name(row)}</Table.Td>
                <Table.Td ta="right">{format.number(row.abrufe)}</Table.Td>
                <Table.Td ta="right">{format.number(row.dateien)}</Table.Td>
                <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                  {format.bytes(row.bytes)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Box>
  )
}
