/** Previews of a few of the files that a rule would move to the trash. */
import { Skeleton, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { fileDetailsAddress } from '../../state/addresses.ts'
import { nameOf } from '../../state/paths.ts'
import { FilePreview } from '../../ui/files/file-preview.tsx'
import classes from './retention.module.css'
import { words } from './words.ts'

export function Examples({ paths }: { paths: readonly string[] }) {
  const w = useWords(words)
  return (
    <ul className={classes.examples} aria-label={w.examples}>
      {paths.map(path => (
        <li key={path}>
          <Example path={path} />
        </li>
      ))}
    </ul>
  )
}

function Example({ path }: { path: string }) {
  const { data: file, error } = useGet(`media/${path}`)
  return (
    <Link href={fileDetailsAddress(path)} title={path} className={classes.example}>
      {file && <FilePreview file={file} withoutBadge />}
      {!file && !error && <Skeleton height={64} />}
      <Text size="xs" truncate>
        {nameOf(path)}
      </Text>
    </Link>
  )
}
