/**
 * A list of any length that renders only the rows in view and a few more. Rows may have different heights.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import classes from './virtual-rows.module.css'

export interface VirtualRowsProps<Item> {
  /** Accessible name, for screen readers. */
  label: string
  items: readonly Item[]
  itemKey(item: Item): string | number
  /** Height of most rows in pixels; rows that were not rendered yet are assumed to have it. */
  rowHeight: number
  /** Maximum height of the list, as in CSS. If all rows together are higher, the list scrolls. */
  maxHeight: number | string
  children(item: Item): ReactNode
}

export function VirtualRows<Item>(props: VirtualRowsProps<Item>) {
  const { label, items, itemKey, rowHeight, maxHeight, children } = props
  const scroller = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: index => itemKey(items[index]!),
    overscan: 6,
    // Off, because React warns if `flushSync` is called during rendering.
    useFlushSync: false,
  })
  return (
    <section
      ref={scroller}
      className={classes.scroller}
      style={{ maxHeight }}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <ul className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            className={classes.row}
            style={{ transform: `translateY(${start}px)` }}
          >
            {children(items[index]!)}
          </li>
        ))}
      </ul>
    </section>
  )
}
