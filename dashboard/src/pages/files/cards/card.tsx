/** The files as cards. Events of all cards are handled by the gallery around them (`use-card-events`). */
import { Skeleton } from '@mantine/core'
import { IconCheck, IconCopy, IconDots, IconExternalLink } from '@tabler/icons-react'
import { memo, useMemo, useRef, useState } from 'react'
import { useFormat, useWords } from '../../../language/language.tsx'
import { FilePreview } from '../../../parts/file-preview.tsx'
import { MiddleCut } from '../../../parts/middle-cut.tsx'
import { folderOf, nameOf } from '../../../parts/paths.ts'
import { times, Waiting } from '../../../parts/skeletons.tsx'
import type { FileAnswer } from '../types.ts'
import { actionWords, words } from '../words.ts'
import classes from './cards.module.css'
import { recycled, type Slots } from './slots.ts'

/** False without a mouse: there a long touch selects, and would drag a draggable card. */
export const MAY_DRAG = matchMedia('(hover: hover)').matches

export interface CardProps {
  file: FileAnswer
  /** Where a click with the middle button leads. */
  href: string
  selected: boolean
  /** The Tab key reaches this card and its buttons. */
  tabbable: boolean
  opened: boolean
  /** Hits of a search lie in many folders. */
  showFolder: boolean
}

/** What grid and list are given. */
export interface FilesProps {
  files: readonly FileAnswer[]
  hrefOf(file: FileAnswer): string
  isSelected(id: string): boolean
  tabbable: string | null
  opened: string
  showFolder: boolean
  turning: boolean
}

export function useCards({ files, hrefOf, isSelected, tabbable, opened, showFolder }: FilesProps) {
  const slots = useSlots(files)
  return files.map((file): CardProps & { key: number | undefined } => ({
    key: slots.get(file.id),
    file,
    href: hrefOf(file),
    selected: isSelected(file.id),
    tabbable: file.id === tabbable,
    opened: file.path === opened,
    showFolder,
  }))
}

function useSlots(files: readonly FileAnswer[]): Slots {
  const last = useRef<Slots>(new Map())
  return useMemo(() => {
    last.current = recycled(
      last.current,
      files.map(({ id }) => id),
    )
    return last.current
  }, [files])
}

export function FileGrid(props: FilesProps) {
  const w = useWords(words)
  return (
    <ul className={classes.files} aria-label={w.title} data-turning={props.turning || undefined}>
      {useCards(props).map(({ key, ...card }) => (
        <Card key={key} {...card} />
      ))}
    </ul>
  )
}

/** Outlines of cards, in the columns of the cards. */
export function CardsSkeleton() {
  return (
    <div className={classes.files}>
      <Waiting />
      {times(12).map(at => (
        <div key={at} className={classes.outline}>
          <Skeleton height={0} pb="100%" mb={8} />
          <Skeleton height={14} />
        </div>
      ))}
    </div>
  )
}

const Card = memo(function Card(props: CardProps) {
  const { file, href, tabbable, showFolder } = props
  const format = useFormat()
  const name = nameOf(file.path)
  const [pointed, watch] = usePointed()
  return (
    <li {...watch} className={classes.card} {...marksOf(props)}>
      <a href={href} className={classes.link} tabIndex={tabbable ? 0 : -1} draggable={false}>
        <FilePreview file={file} />
        <span className={classes.name}>
          <MiddleCut>{name}</MiddleCut>
        </span>
        <span className={classes.sub}>
          {showFolder ? `${folderOf(file.path) || '/'} · ` : ''}
          {format.bytes(file.size)}
        </span>
      </a>
      <SelectBox {...props} />
      {(pointed || tabbable) && <CardButtons name={name} url={file.url} className={classes.actions} />}
    </li>
  )
})

/** Attributes by which selection, keyboard, dragging and styles recognise a card or a row. */
export const marksOf = ({ file, selected, opened }: CardProps) => ({
  'data-file': file.id,
  'data-selected': selected || undefined,
  'data-opened': opened || undefined,
  draggable: MAY_DRAG,
})

export function SelectBox({ file, selected, tabbable }: CardProps) {
  const w = useWords(words)
  return (
    <input
      type="checkbox"
      className={classes.check}
      checked={selected}
      readOnly
      tabIndex={tabbable ? 0 : -1}
      aria-label={w.select(nameOf(file.path))}
    />
  )
}

/** Buttons of two hundred cards would be half of the page, so a card gets them with the pointer or the focus. */
export function usePointed() {
  const [pointed, setPointed] = useState(false)
  const watch = { onPointerEnter: () => setPointed(true), onPointerLeave: () => setPointed(false) }
  return [pointed, watch] as const
}

interface CardButtonsProps {
  name: string
  url: string
  className: string | undefined
}

export function CardButtons({ name, url, className }: CardButtonsProps) {
  const a = useWords(actionWords)
  return (
    <span className={className}>
      <button type="button" data-action="copy" title={a.copyAddress} aria-label={a.copyAddress}>
        <IconCopy size={16} aria-hidden data-before />
        <IconCheck size={16} aria-hidden data-after />
      </button>
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        data-action="leave"
        title={a.openAddress}
        aria-label={a.openAddress}
        draggable={false}
      >
        <IconExternalLink size={16} aria-hidden />
      </a>
      <button
        type="button"
        data-action="more"
        title={a.more}
        aria-label={a.moreOf(name)}
        aria-haspopup="menu"
      >
        <IconDots size={16} aria-hidden />
      </button>
    </span>
  )
}
