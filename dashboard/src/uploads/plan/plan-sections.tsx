/**
 * The sections of the dialog before an upload: invalid names, lower-cased names, files that already exist,
 * and files that cannot be uploaded.
 */
import { Radio, Stack, Switch, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ZIP_MAX_UPLOAD_BYTES } from '../../../../src/contract/upload/zip-limits.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import { pathWords } from '../../ui/files/path-words.ts'
import { planWords } from './dialog-words.ts'
import classes from './plan.module.css'
import {
  type ConflictChoice,
  isArchive,
  isLowerCased,
  type PlannedFile,
  type RejectedFile,
  type UploadPlan,
} from './plan.ts'

/** Maximum number of files that a section lists. */
const MAX_SHOWN_FILES = 50

export function InvalidNamesSection({
  plan,
  acceptsCleanNames,
  onChange,
}: {
  plan: UploadPlan
  acceptsCleanNames: boolean
  onChange(acceptsCleanNames: boolean): void
}) {
  const { w, format } = useTexts(planWords)
  const faultTexts = useWords(pathWords)
  const invalidFiles = plan.plannedFiles.filter(({ fault }) => fault !== null)
  if (invalidFiles.length === 0) return null
  return (
    <Section title={w.names(invalidFiles.length, format.number(invalidFiles.length))}>
      <DimmedText>{faultTexts[invalidFiles[0]!.fault!]}</DimmedText>
      <ItemList items={invalidFiles}>
        {file => <NameChange plannedFile={file} isDeclined={!acceptsCleanNames} />}
      </ItemList>
      <Switch
        label={w.clean}
        description={w.cleanHint}
        checked={acceptsCleanNames}
        onChange={event => onChange(event.currentTarget.checked)}
      />
    </Section>
  )
}

/** Names that are only lower-cased. This is for information: there is nothing to decide. */
export function LowerCasedNamesSection({ plan }: { plan: UploadPlan }) {
  const { w, format } = useTexts(planWords)
  const loweredFiles = plan.plannedFiles.filter(isLowerCased)
  if (loweredFiles.length === 0) return null
  return (
    <Section title={w.lowered(loweredFiles.length, format.number(loweredFiles.length))}>
      <ItemList items={loweredFiles}>{file => <NameChange plannedFile={file} />}</ItemList>
    </Section>
  )
}

/** The former and the new name of a file. `isDeclined`: the user does not accept the new name. */
function NameChange({
  plannedFile: { candidate, target },
  isDeclined = false,
}: {
  plannedFile: PlannedFile
  isDeclined?: boolean
}) {
  return (
    <span className={classes.pair} data-off={isDeclined || undefined}>
      <MiddleTruncatedText>{candidate.path}</MiddleTruncatedText>
      <span aria-hidden>→</span>
      <MiddleTruncatedText>{target}</MiddleTruncatedText>
    </span>
  )
}

interface ConflictsProps {
  plan: UploadPlan
  acceptsCleanNames: boolean
  choice: ConflictChoice
  onChange(choice: ConflictChoice): void
}

export function ConflictsSection({ plan, acceptsCleanNames, choice, onChange }: ConflictsProps) {
  const { w, format } = useTexts(planWords)
  const conflictingFiles = plan.plannedFiles.filter(
    ({ conflict, fault }) => conflict !== null && (acceptsCleanNames || fault === null),
  )
  const [firstFile] = conflictingFiles
  if (!firstFile) return null
  const choices = [
    { value: 'skip', label: w.skip, description: w.skipHint },
    { value: 'overwrite', label: w.overwrite, description: w.overwriteHint },
    { value: 'rename', label: w.rename, description: w.renameHint(nameOf(firstFile.freePath)) },
  ]
  return (
    <Section title={w.conflicts(conflictingFiles.length, format.number(conflictingFiles.length))}>
      <ItemList items={conflictingFiles}>
        {(file: PlannedFile) => <MiddleTruncatedText>{file.target}</MiddleTruncatedText>}
      </ItemList>
      <Radio.Group label={w.choice} value={choice} onChange={value => onChange(value as ConflictChoice)}>
        <Stack gap="xs" mt="xs">
          {choices.map(option => (
            <Radio key={option.value} {...option} />
          ))}
        </Stack>
      </Radio.Group>
      {conflictingFiles.some(({ conflict }) => conflict === 'twin') && choice === 'overwrite' && (
        <DimmedText>{w.twins}</DimmedText>
      )}
    </Section>
  )
}

export function RejectedFilesSection({
  rejectedFiles,
  maxBytes,
}: {
  rejectedFiles: readonly RejectedFile[]
  maxBytes: number
}) {
  const { w, format } = useTexts(planWords)
  const faultTexts = useWords(pathWords)
  if (rejectedFiles.length === 0) return null
  const reasonOf = ({ candidate, reason, fault }: RejectedFile) => {
    if (reason === 'empty') return w.empty
    if (fault) return faultTexts[fault]
    const maxSize = isArchive(candidate.path) ? ZIP_MAX_UPLOAD_BYTES : maxBytes
    return w.large(format.bytes(candidate.file.size), format.bytes(maxSize))
  }
  return (
    <Section title={w.leftOut(rejectedFiles.length, format.number(rejectedFiles.length))}>
      <ItemList items={rejectedFiles}>
        {file => (
          <>
            <MiddleTruncatedText>{file.candidate.path}</MiddleTruncatedText>
            <span className={classes.reason}>{reasonOf(file)}</span>
          </>
        )}
      </ItemList>
    </Section>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="xs">
      <Title order={3} size="h5">
        {title}
      </Title>
      {children}
    </Stack>
  )
}

function ItemList<Item>({ items, children }: { items: readonly Item[]; children(item: Item): ReactNode }) {
  const { w, format } = useTexts(planWords)
  const moreCount = items.length - MAX_SHOWN_FILES
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <ul className={classes.list} tabIndex={0}>
      {items.slice(0, MAX_SHOWN_FILES).map((item, index) => (
        <li key={index}>{children(item)}</li>
      ))}
      {moreCount > 0 && <li className={classes.reason}>{w.andMore(format.number(moreCount))}</li>}
    </ul>
  )
}
