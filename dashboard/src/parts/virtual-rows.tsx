/** A list of any length of which only what can be seen is there. Rows may be of different height. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import classes from './virtual-rows.module.css'

export interface VirtualRowsProps<Item> {
  /** What is listed, for a screen reader. */
  label: string
  items: readonly Item[]
  itemKey(item: Item): string | number
  /** Of most rows. */
  rowHeight: number
  /** Beyond this it scrolls. */
  maxHeight: number | string
  children(item: Item): ReactNode
}

export function VirtualRows<Item>(props: VirtualRowsProps<Item>) {
  const { label, items, itemKey, rowHeight, maxHeight, children } = props
  const scroller = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: at => itemKey(items[at]!),
    overscan: 6,
    // Within a render of React it would only warn.
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
      <ul className={classes.rows} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            ref={rows.measureElement}
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
