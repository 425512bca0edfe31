/**
 * The lists of orphans (stored files without an entry in the database, and entries without a stored file),
 * each with an explanation and what to do.
 */
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { OrphansAnswer } from '../../../../src/contract/service/maintenance.ts'
import { useTexts } from '../../language/language.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { useDialog } from '../../ui/forms/dialog.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { FileLink } from './file-link.tsx'
import classes from './upkeep.module.css'
import { orphanWords } from './words.ts'

export interface OrphanListsProps {
  orphans: OrphansAnswer
  cleanUp(): Promise<number>
}

export function OrphanLists({ orphans, cleanUp }: OrphanListsProps) {
  const { w, format } = useTexts(orphanWords)
  const { ohne_eintrag, ohne_datei, papierkorb_ohne_datei, gesamt, zu_jung } = orphans
  const tooYoungHint = zu_jung > 0 ? w.tooYoung(zu_jung, format.number(zu_jung)) : ''
  if (gesamt.ohne_eintrag + gesamt.ohne_datei + gesamt.papierkorb_ohne_datei === 0) return null
  return (
    <Stack gap="lg">
      <OrphanList
        title={w.withoutEntry}
        hint={`${w.withoutEntryHint} ${tooYoungHint}`}
        count={gesamt.ohne_eintrag}
        bytes={orphans.bytes}
        action={
          gesamt.ohne_eintrag > zu_jung && (
            <CleanUpButton orphans={orphans} tooYoungHint={tooYoungHint} cleanUp={cleanUp} />
          )
        }
        rows={ohne_eintrag}
        rowKey={name => name}
      >
        {name => <MiddleTruncatedText>{name}</MiddleTruncatedText>}
      </OrphanList>
      <OrphanList
        title={w.withoutFile}
        hint={w.withoutFileHint}
        count={gesamt.ohne_datei}
        rows={ohne_datei}
        rowKey={path => path}
      >
        {path => <FileLink path={path} />}
      </OrphanList>
      <OrphanList
        title={w.trash}
        hint={w.trashHint}
        count={gesamt.papierkorb_ohne_datei}
        rows={papierkorb_ohne_datei}
        rowKey={({ nr }) => nr}
      >
        {({ path }) => <MiddleTruncatedText>{path}</MiddleTruncatedText>}
      </OrphanList>
    </Stack>
  )
}

interface OrphanListProps<Row> {
  title: string
  hint: string
  /** The total number of orphans of this list; `rows` may contain only the first of them. */
  count: number
  bytes?: number
  action?: ReactNode
  rows: readonly Row[]
  rowKey(row: Row): string | number
  children(row: Row): ReactNode
}

function OrphanList<Row>({
  title,
  hint,
  count,
  bytes,
  action,
  rows,
  rowKey,
  children,
}: OrphanListProps<Row>) {
  const { w, format } = useTexts(orphanWords)
  const sizeText = bytes === undefined ? '' : ` · ${format.bytes(bytes)}`
  const unlistedCount = count - rows.length
  if (count === 0) return null
  return (
    <div>
      <Group justify="space-between" align="flex-end" wrap="wrap">
        <div style={{ flex: '1 1 240px' }}>
          <Title order={3} fz="sm">
            {title}{' '}
            <Text span c="dimmed" inherit fw={400}>
              {format.number(count)}
              {sizeText}
            </Text>
          </Title>
          <DimmedText className={classes.line}>{hint}</DimmedText>
        </div>
        {action}
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard */}
      <ul className={classes.paths} aria-label={title} tabIndex={0}>
        {rows.map(row => (
          <li key={rowKey(row)}>{children(row)}</li>
        ))}
        {unlistedCount > 0 && <li>{w.more(format.number(unlistedCount))}</li>}
      </ul>
    </div>
  )
}

function CleanUpButton({ orphans, tooYoungHint, cleanUp }: OrphanListsProps & { tooYoungHint: string }) {
  const { w, format } = useTexts(orphanWords)
  const notify = useNotify()
  const confirmDialog = useDialog()
  const { zu_jung, gesamt, bytes } = orphans
  const removableCount = gesamt.ohne_eintrag - zu_jung
  const remove = async () => {
    const removedCount = await cleanUp()
    notify.showSuccess(w.removed(removedCount, format.number(removedCount)))
  }
  return (
    <>
      <Button variant="default" onClick={() => confirmDialog.open(true)}>
        {w.cleanUp}
      </Button>
      <ConfirmDialog {...confirmDialog} title={w.confirmTitle} confirmLabel={w.confirm} onConfirm={remove}>
        <Text>{w.confirmText(removableCount, format.number(removableCount))}</Text>
        <Text mt="xs">{tooYoungHint || w.frees(format.bytes(bytes))}</Text>
      </ConfirmDialog>
    </>
  )
}
