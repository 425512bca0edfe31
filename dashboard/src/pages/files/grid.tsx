/** Folders, then files, as cards. */
import { Text } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { FileAnswer } from '../../../../src/contract/library.ts'
import { useFormat, useWords } from '../../language/language.tsx'
import { FilePreview } from '../../parts/file-preview.tsx'
import { MiddleCut } from '../../parts/middle-cut.tsx'
import classes from './grid.module.css'
import { words } from './words.ts'

interface Folder {
  name: string
  pfad: string
  dateien: number
  bytes: number
}

export function Grid({ dateien, ordner }: { dateien: readonly FileAnswer[]; ordner: readonly Folder[] }) {
  const w = useWords(words)
  const format = useFormat()
  return (
    <>
      {ordner.length > 0 && (
        <ul className={classes.folders} aria-label={w.folders}>
          {ordner.map(({ name, pfad, dateien: files, bytes }) => (
            <li key={pfad}>
              <Link href={`/dateien?ordner=${pfad}`} className={classes.folder}>
                <IconFolder size={24} stroke={1.5} aria-hidden />
                <span className={classes.text}>
                  <MiddleCut>{name}</MiddleCut>
                  <Text size="xs" c="dimmed" component="span">
                    {w.folderFigures(format.number(files), format.bytes(bytes))}
                  </Text>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <ul className={classes.files} aria-label={w.title}>
        {dateien.map(file => (
          <li key={file.id}>
            <a href={file.url} target="_blank" rel="noreferrer" className={classes.file}>
              <FilePreview file={file} />
              <MiddleCut>{file.path.slice(file.path.lastIndexOf('/') + 1)}</MiddleCut>
              <Text size="xs" c="dimmed" component="span">
                {format.bytes(file.size)}
              </Text>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
