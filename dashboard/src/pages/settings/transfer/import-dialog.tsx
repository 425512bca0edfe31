/** The dialog with the preview of an import of settings and the button that applies it. */
import { List, Text } from '@mantine/core'
import { post } from '../../../api/client.ts'
import { useRefresh } from '../../../api/use-refresh.ts'
import { useWords } from '../../../language/language.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { useNotify } from '../../../ui/notify.tsx'
import { ChangeList } from '../change-list.tsx'
import { settingWords } from '../words.ts'
import type { ImportPlan } from './plan.ts'
import { words } from './words.ts'

export interface ChosenImport extends ImportPlan {
  /** The name of the file. */
  name: string
  content: Record<string, unknown>
}

export interface ImportDialogProps {
  chosenImport: ChosenImport
  opened: boolean
  onClose(): void
}

export function ImportDialog({ chosenImport, opened, onClose }: ImportDialogProps) {
  const w = useWords(words)
  const notify = useNotify()
  const refresh = useRefresh()
  const { name, content, changes, problems, unknownNames } = chosenImport
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      size="lg"
      title={w.previewTitle(name)}
      submit={w.apply}
      isLocked={() => changes.length === 0 || problems.length > 0}
      send={() => post('einstellungen/import', { body: content })}
      onSent={async ({ geaendert, unbekannt }) => {
        await refresh()
        const ignoredNote = unbekannt.length > 0 ? ` ${w.unknown(unbekannt.join(', '))}` : ''
        const count = geaendert.length
        notify.showSuccess((count === 0 ? w.appliedNone : w.applied(count, count)) + ignoredNote)
        onClose()
      }}
    >
      {changes.length > 0 && <Text size="sm">{w.willChange}</Text>}
      <ChangeList changes={changes} />
      {changes.length === 0 && problems.length === 0 && <Text>{w.nothing}</Text>}
      <Problems problems={problems} />
      {unknownNames.length > 0 && (
        <DimmedText style={{ overflowWrap: 'anywhere' }}>{w.unknown(unknownNames.join(', '))}</DimmedText>
      )}
    </FormDialog>
  )
}

function Problems({ problems }: Pick<ImportPlan, 'problems'>) {
  const w = useWords(words)
  const settingNames = useWords(settingWords)
  if (problems.length === 0) return null
  return (
    <div role="alert">
      <Text size="sm" c="var(--mantine-color-error)">
        {w.wrong}
      </Text>
      <List size="sm">
        {problems.map(({ name, problem }) => (
          <List.Item key={name}>
            <b>{settingNames[name]}</b>: {problem}
          </List.Item>
        ))}
      </List>
    </div>
  )
}
