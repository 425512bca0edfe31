/** Many names in little room: scrolls by itself, also by keyboard. */
import type { ReactNode } from 'react'
import { useTexts } from '../../language/language.tsx'
import classes from './upkeep.module.css'
import { orphanWords } from './words.ts'

export interface PathListProps<Row> {
  label: string
  rows: readonly Row[]
  rowKey(row: Row): string | number
  /** How many there are beyond those listed. */
  more: number
  children(row: Row): ReactNode
}

export function PathList<Row>({ label, rows, rowKey, more, children }: PathListProps<Row>) {
  const { w, format } = useTexts(orphanWords)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
    <ul className={classes.paths} aria-label={label} tabIndex={0}>
      {rows.map(row => (
        <li key={rowKey(row)}>{children(row)}</li>
      ))}
      {more > 0 && <li>{w.more(format.number(more))}</li>}
    </ul>
  )
}
