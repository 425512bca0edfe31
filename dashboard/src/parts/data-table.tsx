/** A plain table with headers that sort. What a cell shows is the page's affair. */
import { Group, Table, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWords } from '../language/language.tsx'
import { words } from './words.ts'

export interface Column<Row, Key extends string = string> {
  key: Key
  title: string
  cell(row: Row): ReactNode
  sortable?: boolean
  /** Figures stand at the right. */
  align?: 'left' | 'right'
  width?: number | string
}

export interface Sorting<Key extends string> {
  key: Key
  direction: 'auf' | 'ab'
}

export interface DataTableProps<Row, Key extends string> {
  /** What the table lists, for a screen reader. */
  label: string
  columns: readonly Column<Row, Key>[]
  rows: readonly Row[]
  rowKey(row: Row): string | number
  sorting?: Sorting<Key>
  onSort?(sorting: Sorting<Key>): void
  /** Narrower than this it scrolls sideways instead of being squeezed. */
  minWidth?: number
}

export function DataTable<Row, Key extends string>(props: DataTableProps<Row, Key>) {
  const { label, columns, rows, rowKey, sorting, onSort, minWidth = 640 } = props
  return (
    <Table.ScrollContainer minWidth={minWidth} type="native">
      <Table aria-label={label} verticalSpacing="xs" horizontalSpacing="md" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {columns.map(column => (
              <Header
                key={column.key}
                column={column}
                sorting={sorting}
                onSort={column.sortable ? onSort : undefined}
              />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(row => (
            <Table.Tr key={rowKey(row)}>
              {columns.map(column => (
                <Table.Td key={column.key} ta={column.align ?? 'left'}>
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface HeaderProps<Row, Key extends string> {
  column: Column<Row, Key>
  sorting: Sorting<Key> | undefined
  onSort: ((sorting: Sorting<Key>) => void) | undefined
}

function Header<Row, Key extends string>({ column, sorting, onSort }: HeaderProps<Row, Key>) {
  const w = useWords(words)
  const { key, title, align = 'left', width } = column
  const direction = sorting?.key === key ? sorting.direction : null
  const Arrow = direction === 'ab' ? IconChevronDown : IconChevronUp
  return (
    <Table.Th
      ta={align}
      {...(width !== undefined && { w: width })}
      aria-sort={direction === null ? undefined : direction === 'auf' ? 'ascending' : 'descending'}
    >
      {onSort ? (
        <UnstyledButton
          fz="inherit"
          fw="inherit"
          onClick={() => onSort({ key, direction: direction === 'auf' ? 'ab' : 'auf' })}
        >
          <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
            {title}
            {direction && <Arrow size={14} aria-hidden />}
            {direction && <VisuallyHidden>{direction === 'auf' ? w.sortedUp : w.sortedDown}</VisuallyHidden>}
          </Group>
        </UnstyledButton>
      ) : (
        title
      )}
    </Table.Th>
  )
}
