/** Newest, most retrieved, never retrieved: a few of each, and the way to all of them in the gallery. */
import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { OverviewAnswer, OverviewFile } from '../../../../src/contract/overview.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { FilePreview } from '../../parts/file-preview.tsx'
import { MiddleCut } from '../../parts/middle-cut.tsx'
import { fileAddress, folderOf, nameOf } from '../../parts/paths.ts'
import { Time } from '../../parts/time.tsx'
import { Box } from './box.tsx'
import classes from './overview.module.css'
import { words } from './words.ts'

/** The service gives ten; a glance takes in five. */
const SHOWN = 5

type Lists = Pick<OverviewAnswer, 'neueste' | 'meist_abgerufen' | 'nie_abgerufen'>

export function FileLists({ neueste, meist_abgerufen, nie_abgerufen }: Lists) {
  const { w, format } = useTexts(words)
  const count = nie_abgerufen.anzahl
  return (
    <div className={classes.lists}>
      <List
        title={w.newest}
        all="sortierung=updated_at&richtung=ab"
        files={neueste}
        fact={file => <Time at={file.updated_at} />}
      />
      <List
        title={w.most}
        all="sortierung=abrufe&richtung=ab"
        files={meist_abgerufen}
        empty={w.mostEmpty}
        fact={({ abrufe }) => w.retrieved(abrufe, format.number(abrufe))}
      />
      <List
        title={w.never}
        {...(count > 0 && { count: format.number(count) })}
        all="sortierung=abrufe&richtung=auf"
        files={nie_abgerufen.dateien}
        empty={w.neverEmpty}
        fact={({ size, updated_at }) => (
          <>
            {format.bytes(size)} · <Time at={updated_at} />
          </>
        )}
      />
    </div>
  )
}

interface ListProps {
  title: string
  count?: string
  /** The order of the gallery that shows all of them. */
  all: string
  files: readonly OverviewFile[]
  empty?: string
  fact(file: OverviewFile): ReactNode
}

function List({ title, count, all, files, empty, fact }: ListProps) {
  const w = useWords(words)
  return (
    <Box
      title={title}
      note={
        count && (
          <Text component="span" c="dimmed" ml="xs">
            {count}
          </Text>
        )
      }
      corner={
        files.length > 0 && (
          <Anchor
            component={Link}
            size="sm"
            href={`/dateien?unterordner=1&${all}`}
            aria-label={w.allOf(title)}
          >
            {w.all}
          </Anchor>
        )
      }
    >
      {files.length === 0 && <Text c="dimmed">{empty}</Text>}
      <ul>
        {files.slice(0, SHOWN).map(file => (
          <li key={file.path}>
            <Link href={fileAddress(file.path)} className={classes.file}>
              <FilePreview file={file} size={40} plain />
              <div>
                <MiddleCut>{nameOf(file.path)}</MiddleCut>
                <Text size="sm" c="dimmed" truncate title={folderOf(file.path)}>
                  {fact(file)}
                  {folderOf(file.path) && ` · ${folderOf(file.path)}`}
                </Text>
              </div>
            </Link>
          </li>
        ))}
      </ul>
    </Box>
  )
}
