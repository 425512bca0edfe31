/** The folders as a virtualised tree, with the keys and ARIA roles of a tree view. */
import { IconChevronRight, IconFolder, IconFolderOpen, IconFolders } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { FolderNode } from '../../../../src/contract/files/library.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { ancestorsAndSelf } from '../../state/paths.ts'
import { isIgnoredRepeat, pressedKeysOf } from '../../state/pressed-keys.ts'
import { words } from '../words.ts'
import { type TreeRow, treeRows, treeStep } from './rows.ts'
import classes from './tree.module.css'
import { useOpenFolders } from './use-open-folders.ts'

const ROW_HEIGHT = 32
/** The assumed size of the tree in pixels until it is measured, so that the first rendering contains rows. */
const INITIAL_RECT = { width: 240, height: 640 }

export interface TreeProps {
  folders: readonly FolderNode[]
  currentFolder: string
  onPick(path: string): void
  /**
   * Runs the command with this shortcut on the folder at `path`; returns false if there is no such command.
   */
  onKey?(keys: string, path: string): boolean
  /** Further props of a row, such as handlers for drops and the context menu. */
  rowProps?(path: string): object
}

export function Tree({ folders, currentFolder, onPick, onKey, rowProps }: TreeProps) {
  const w = useWords(words)
  const [openFolders, changeOpenFolders] = useOpenFolders()
  const rows = useMemo(() => treeRows(folders, openFolders, w.top), [folders, openFolders, w.top])
  const scroller = useRef<HTMLDivElement>(null)
  const [cursorPath, setCursorPath] = useState<string | null>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    initialRect: INITIAL_RECT,
    getItemKey: index => rows[index]?.path ?? index,
  })

  // When another folder becomes the current one, its parent folders are opened.
  useEffect(() => {
    changeOpenFolders(openPaths => {
      for (const folder of ancestorsAndSelf(currentFolder).slice(0, -1)) openPaths.add(folder)
    })
  }, [currentFolder, changeOpenFolders])

  useScrollToCurrent(rows, currentFolder, virtualizer)

  const tabbablePath = rows.some(({ path }) => path === cursorPath) ? cursorPath : currentFolder
  const isTabbableVisible = rows.some(({ path }) => path === tabbablePath)

  const { setOpen, handleKey } = useTreeKeys({
    rows,
    scroller,
    virtualizer,
    changeOpenFolders,
    setCursor: setCursorPath,
    onPick,
    onKey,
  })

  return (
    <div ref={scroller} className={classes.scroller}>
      <div
        role="tree"
        aria-label={w.folders}
        className={classes.lines}
        {...useOpenWhileDragging(rows, path => setOpen(path, true))}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]!
          return (
            <TreeLine
              key={row.path}
              row={row}
              offsetTop={start}
              isCurrent={row.path === currentFolder}
              isTabbable={isTabbableVisible ? row.path === tabbablePath : index === 0}
              onToggle={() => setOpen(row.path, !row.isOpen)}
              onPick={() => onPick(row.path)}
              onFocus={() => setCursorPath(row.path)}
              onKeyDown={event => handleKey(event, index, row)}
              extraProps={rowProps?.(row.path)}
            />
          )
        })}
      </div>
    </div>
  )
}

/** Scrolls to each new current folder once, as soon as its row exists. */
function useScrollToCurrent(
  rows: readonly TreeRow[],
  currentFolder: string,
  virtualizer: TreeKeysOptions['virtualizer'],
): void {
  const scrolledToPath = useRef<string | null>(null)
  useEffect(() => {
    const index = rows.findIndex(({ path }) => path === currentFolder)
    if (index < 0 || scrolledToPath.current === currentFolder) return
    scrolledToPath.current = currentFolder
    virtualizer.scrollToIndex(index, { align: 'auto' })
  }, [rows, currentFolder, virtualizer])
}

interface TreeKeysOptions {
  rows: readonly TreeRow[]
  scroller: RefObject<HTMLElement | null>
  virtualizer: { scrollToIndex(index: number, options: { align: 'auto' }): void }
  changeOpenFolders(edit: (openFolders: Set<string>) => void): void
  setCursor(path: string): void
  onPick(path: string): void
  onKey: TreeProps['onKey']
}

function useTreeKeys({
  rows,
  scroller,
  virtualizer,
  changeOpenFolders,
  setCursor,
  onPick,
  onKey,
}: TreeKeysOptions) {
  const setOpen = (path: string, isOpen: boolean) =>
    changeOpenFolders(openPaths => {
      if (isOpen) openPaths.add(path)
      else openPaths.delete(path)
    })
  const goTo = (index: number) => {
    const row = rows[index]
    if (!row) return
    setCursor(row.path)
    virtualizer.scrollToIndex(index, { align: 'auto' })
    requestAnimationFrame(() => rowElement(scroller.current, row.path)?.focus())
  }
  const handleKey = (event: KeyboardEvent, index: number, row: TreeRow) => {
    const keys = pressedKeysOf(event)
    if (keys === 'Enter' || keys === ' ') {
      event.preventDefault()
      return onPick(row.path)
    }
    if (!isIgnoredRepeat(event) && onKey?.(keys, row.path)) return event.preventDefault()
    const step = treeStep(rows, index, keys)
    if (!step) return
    event.preventDefault()
    if ('go' in step) goTo(step.go)
    else if ('open' in step) setOpen(step.open, true)
    else setOpen(step.close, false)
  }
  return { setOpen, handleKey }
}

/** Milliseconds for which something must be dragged over a closed folder until it opens. */
const OPEN_DELAY_MS = 600

/** Handlers of the tree that open a closed folder after something was dragged over it for `OPEN_DELAY_MS`. */
function useOpenWhileDragging(rows: readonly TreeRow[], openFolder: (path: string) => void) {
  const hoveredFolder = useRef<{ path: string; timer: number } | null>(null)
  const clearHovered = () => {
    clearTimeout(hoveredFolder.current?.timer)
    hoveredFolder.current = null
  }
  useEffect(() => clearHovered, [])
  return {
    onDragOver({ target }: DragEvent) {
      const path = (target as Element).closest<HTMLElement>('[data-folder]')?.dataset.folder
      if (path === hoveredFolder.current?.path) return
      clearHovered()
      const isClosed = rows.some(row => row.path === path && row.isOpen === false)
      if (path === undefined || !isClosed) return
      hoveredFolder.current = { path, timer: window.setTimeout(() => openFolder(path), OPEN_DELAY_MS) }
    },
    onDragLeave({ relatedTarget, currentTarget }: DragEvent) {
      if (!currentTarget.contains(relatedTarget as Node | null)) clearHovered()
    },
    onDrop: clearHovered,
  }
}

const rowElement = (container: HTMLElement | null, path: string) =>
  container?.querySelector<HTMLElement>(`[data-folder="${CSS.escape(path)}"]`)

interface TreeLineProps {
  row: TreeRow
  offsetTop: number
  isCurrent: boolean
  isTabbable: boolean
  onToggle(): void
  onPick(): void
  onFocus(): void
  onKeyDown(event: KeyboardEvent): void
  extraProps: object | undefined
}

function TreeLine({
  row,
  offsetTop,
  isCurrent,
  isTabbable,
  onToggle,
  onPick,
  onFocus,
  onKeyDown,
  extraProps,
}: TreeLineProps) {
  const { w, format } = useTexts(words)
  const isTop = row.level === 1
  const Icon = isTop ? IconFolders : row.isOpen ? IconFolderOpen : IconFolder
  return (
    <div
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblingCount}
      aria-expanded={row.isOpen ?? undefined}
      aria-selected={isCurrent}
      aria-label={row.name}
      title={
        row.level === 1
          ? undefined
          : `${row.path} · ${w.folderFigures(row.fileCount, format.number(row.fileCount), format.bytes(row.bytes))}`
      }
      data-folder={row.path}
      tabIndex={isTabbable ? 0 : -1}
      className={classes.line}
      style={{
        transform: `translateY(${offsetTop}px)`,
        paddingLeft: Math.max(0, row.level - 2) * 16 + (isTop ? 8 : 0),
      }}
      onClick={onPick}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      {...extraProps}
    >
      {/* The arrow is only for the mouse: with a keyboard or screen reader, users open and close the row. */}
      {!isTop && (
        <span
          aria-hidden
          className={classes.twist}
          data-open={row.isOpen || undefined}
          data-empty={row.isOpen === null || undefined}
          onClick={event => {
            if (row.isOpen === null) return
            event.stopPropagation()
            onToggle()
          }}
        >
          <IconChevronRight size={16} />
        </span>
      )}
      <Icon size={18} stroke={1.6} aria-hidden />
      <span className={classes.name}>{row.name}</span>
      {/* The number of files, drawn by CSS. It is not part of the accessible name of the row (`aria-label`);
         the tooltip contains it too. */}
      {!isTop && <span className={classes.count} data-count={format.number(row.fileCount)} />}
    </div>
  )
}
