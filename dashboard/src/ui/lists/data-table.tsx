/** A plain table; the caller provides the content of each cell. */
import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface Column<Row> {
  key: string
  title: string
  cell(row: Row): ReactNode
  /** Alignment of the column: `right` for numbers; by default `left`. */
  align?: 'left' | 'right'
  width?: number | string
  /** Whether the column is hidden on a phone. */
  isHiddenOnPhone?: boolean
}

export interface DataTableProps<Row> {
  /** Accessible name, for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey(row: Row): string | number
  /** Minimum width of the table in pixels; in a narrower space it scrolls sideways. */
  minWidth?: number
  /** Reduces the horizontal spacing, for a table that shares the width of the page with something else. */
  compact?: boolean
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, minWidth = 640, compact = false } = props
  return (
    <Table.ScrollContainer minWidth={minWidth} type="native">
      <Table
        aria-label={label}
        verticalSpacing="xs"
        horizontalSpacing={compact ? 'xs' : 'md'}
        highlightOnHover
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, title, align = 'left', width, isHiddenOnPhone: wideOnly }) => (
              <Table.Th
                key={key}
                ta={align}
                {...visibilityProps(wideOnly)}
                {...(width !== undefined && { w: width })}
              >
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(row => (
            <Table.Tr key={rowKey(row)}>
              {columns.map(({ key, align = 'left', isHiddenOnPhone: wideOnly, cell }) => (
                <Table.Td key={key} ta={align} {...visibilityProps(wideOnly)}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

const visibilityProps = (wideOnly = false) => (wideOnly ? { visibleFrom: 'sm' } : {})
