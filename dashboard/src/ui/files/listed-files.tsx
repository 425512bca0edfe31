/** A short list of files under a title, with a link to all of them. */

import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { OverviewFile } from '../../../../src/contract/files/overview.ts'
import { useWords } from '../../language/language.tsx'
import { type FilesSearch, fileDetailsAddress, filesAddress } from '../../state/addresses.ts'
import { folderOf, nameOf } from '../../state/paths.ts'
import { TitledBox } from '../lists/titled-box.tsx'
import { words } from '../words.ts'
import { FilePreview } from './file-preview.tsx'
import classes from './listed-files.module.css'
import { MiddleTruncatedText } from './middle-truncated-text.tsx'

/** Maximum number of files shown by default. */
const DEFAULT_MAX_SHOWN = 5

export interface ListedFilesProps {
  title: string
  /** The number of all files as text, shown beside the title. */
  countText?: string
  /** The query for the link to the files page, which then lists all of these files. */
  queryForAll: Partial<FilesSearch>
  files: readonly OverviewFile[]
  maxShown?: number
  /** Shown if there are no files. */
  emptyText?: string
  /** Shown below the name of a file, before its folder. */
  renderDetail(file: OverviewFile): ReactNode
}

export function ListedFiles({
  title,
  countText: count,
  queryForAll,
  files,
  maxShown = DEFAULT_MAX_SHOWN,
  emptyText,
  renderDetail,
}: ListedFilesProps) {
  const w = useWords(words)
  return (
    <TitledBox
      title={title}
      note={
        count && (
          <Text component="span" c="dimmed" ml="xs">
            {count}
          </Text>
        )
      }
      cornerContent={
        files.length > 0 && (
          <Anchor
            component={Link}
            size="sm"
            href={filesAddress({ ...queryForAll, unterordner: true })}
            aria-label={w.allOf(title)}
          >
            {w.all}
          </Anchor>
        )
      }
    >
      {files.length === 0 && <Text c="dimmed">{emptyText}</Text>}
      <ul>
        {files.slice(0, maxShown).map(file => (
          <li key={file.path}>
            <Link href={fileDetailsAddress(file.path)} className={classes.file}>
              <FilePreview file={file} size={40} withoutBadge />
              <div>
                <MiddleTruncatedText>{nameOf(file.path)}</MiddleTruncatedText>
                <Text size="sm" c="dimmed" truncate title={folderOf(file.path)}>
                  {renderDetail(file)}
                  {folderOf(file.path) && ` · ${folderOf(file.path)}`}
                </Text>
              </div>
            </Link>
          </li>
        ))}
      </ul>
    </TitledBox>
  )
}
