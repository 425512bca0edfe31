/**
 * The list of missing files, to which files can be uploaded. A row accepts a file for its name; the list as a
 * whole accepts many files and matches them by name.
 */
import { Alert, Group, Stack, Text } from '@mantine/core'
import { IconFiles, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { type PathFault, pathFault } from '../../../../src/contract/paths/path-rules.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { ButtonWithIcon, IconButton } from '../../ui/buttons.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import { pathWords } from '../../ui/files/path-words.ts'
import { VirtualRows } from '../../ui/lists/virtual-rows.tsx'
import { dropZone } from '../../uploads/drop.ts'
import { candidatesFromDialog, type UploadCandidate } from '../../uploads/plan/candidates.ts'
import { openFileDialog, upload } from '../../uploads/uploads.ts'
import classes from './missing.module.css'
import { extensionOf, type FileMatches, hasExtensionOfPattern, matchFiles, pathFor } from './pattern.ts'
import { words } from './words.ts'

const ROW_HEIGHT = 48
/** Maximum number of unmatched files that are listed. */
const MAX_SHOWN_UNMATCHED_FILES = 5

export function MissingFiles({ names, pattern }: { names: readonly string[]; pattern: string }) {
  const w = useWords(words)
  const [unmatchedFiles, setUnmatchedFiles] = useState<FileMatches['unmatched']>([])
  const uploadMatches = (matches: FileMatches) => {
    setUnmatchedFiles(matches.unmatched)
    if (matches.matched.length === 0) return
    const files = matches.matched.map(({ candidate, name }) => ({
      file: candidate.file,
      path: pathFor(pattern, name),
      mustKeepPath: true,
    }))
    upload(files, '')
  }
  const matchAndUpload = (candidates: readonly UploadCandidate[]) => {
    if (candidates.length > 0) uploadMatches(matchFiles(candidates, names, pattern))
  }
  /**
   * Returns a function that handles the files given to the row of a name. A single file is uploaded under
   * this name, whatever its own name is, if it has the extension of the pattern. Several files are matched by
   * their own names.
   */
  const uploadForName = (name: string) => (candidates: readonly UploadCandidate[]) => {
    const [candidate, ...otherCandidates] = candidates
    if (!candidate || otherCandidates.length > 0) return matchAndUpload(candidates)
    if (hasExtensionOfPattern(pattern, candidate.path))
      uploadMatches({ matched: [{ candidate, name }], unmatched: [] })
    else uploadMatches({ matched: [], unmatched: [{ candidate, reason: 'kind' }] })
  }
  return (
    <Stack
      gap="sm"
      className={classes.zone}
      {...dropZone({ onFiles: readFiles => void readFiles().then(matchAndUpload) })}
    >
      <Group justify="space-between" gap="xs">
        <DimmedText flex="1 1 240px">{w.fillHint}</DimmedText>
        <ButtonWithIcon
          icon={IconFiles}
          label={w.chooseFiles}
          size="xs"
          onClick={async () => matchAndUpload(candidatesFromDialog(await openFileDialog({ multiple: true })))}
        />
      </Group>
      <UnmatchedFiles unmatched={unmatchedFiles} pattern={pattern} onClose={() => setUnmatchedFiles([])} />
      <VirtualRows
        label={w.missing}
        items={names}
        itemKey={name => name}
        rowHeight={ROW_HEIGHT}
        maxHeight="max(280px, calc(100dvh - 336px))"
      >
        {name => <MissingRow name={name} path={pathFor(pattern, name)} onFiles={uploadForName(name)} />}
      </VirtualRows>
    </Stack>
  )
}

interface MissingRowProps {
  name: string
  path: string
  onFiles(candidates: readonly UploadCandidate[]): void
}

function MissingRow({ name, path, onFiles }: MissingRowProps) {
  const fault = pathFault(path)
  return fault === null ? (
    <ValidNameRow name={name} path={path} onFiles={onFiles} />
  ) : (
    <InvalidNameRow name={name} fault={fault} />
  )
}

function ValidNameRow({ name, path, onFiles }: MissingRowProps) {
  const w = useWords(words)
  const label = w.fillOne(name)
  return (
    <div className={classes.gap} {...dropZone({ onFiles: readFiles => void readFiles().then(onFiles) })}>
      <div className={classes.name}>
        <MiddleTruncatedText>{name}</MiddleTruncatedText>
        <Text size="xs" c="dimmed" component="div">
          <MiddleTruncatedText>{path}</MiddleTruncatedText>
        </Text>
      </div>
      <IconButton
        icon={IconUpload}
        label={label}
        onClick={async () => onFiles(candidatesFromDialog(await openFileDialog({})))}
      />
    </div>
  )
}

/** The row of a name that is not valid in a path: it accepts no files. */
function InvalidNameRow({ name, fault }: { name: string; fault: PathFault }) {
  const w = useWords(pathWords)
  return (
    <div className={classes.gap}>
      <div className={classes.name}>
        <MiddleTruncatedText>{name}</MiddleTruncatedText>
        <Text size="xs" c="var(--fundus-bad)" component="div">
          {w[fault]}
        </Text>
      </div>
    </div>
  )
}

interface UnmatchedFilesProps extends Pick<FileMatches, 'unmatched'> {
  pattern: string
  onClose(): void
}

function UnmatchedFiles({ unmatched, pattern, onClose }: UnmatchedFilesProps) {
  const { w, format } = useTexts(words)
  if (unmatched.length === 0) return null
  const reasonTexts = { name: w.misfitName, kind: w.misfitKind(extensionOf(pattern)), twice: w.misfitTwice }
  const unlistedCount = unmatched.length - MAX_SHOWN_UNMATCHED_FILES
  return (
    <Alert
      role="alert"
      color="yellow"
      variant="outline"
      title={w.unmatched(unmatched.length, format.number(unmatched.length))}
      withCloseButton
      closeButtonLabel={w.dismiss}
      onClose={onClose}
    >
      {unmatched.slice(0, MAX_SHOWN_UNMATCHED_FILES).map(unmatchedFile => (
        <Text size="sm" key={unmatchedFile.candidate.path} className={classes.misfit}>
          {unmatchedFile.candidate.path}: {reasonTexts[unmatchedFile.reason]}
        </Text>
      ))}
      {unlistedCount > 0 && <Text size="sm">{w.andMore(format.number(unlistedCount))}</Text>}
    </Alert>
  )
}
