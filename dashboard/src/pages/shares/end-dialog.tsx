/** The dialog that changes when a share expires, even of an expired one. */
import { TextInput } from '@mantine/core'
import type { ShareOnWire } from '../../../../src/contract/files/shares.ts'
import { patch } from '../../api/client.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { useWords } from '../../language/language.tsx'
import type { DialogState } from '../../ui/forms/dialog.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { endOfDay, lastValidDay } from '../tokens/validity.ts'
import { words } from './words.ts'

export function ChangeExpiryDialog({
  state: { opened, subject, onClose },
}: {
  state: DialogState<ShareOnWire>
}) {
  const w = useWords(words)
  const refresh = useRefresh()
  const { schluessel = '', ordner = '', gueltig_bis = null } = subject ?? {}
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={w.changeOne(ordner)}
      submit={w.save}
      initialValues={{ bis: gueltig_bis === null ? '' : lastValidDay(gueltig_bis) }}
      check={({ bis }) => ({ bis: bis !== '' && endOfDay(bis) === undefined && w.dayWrong })}
      send={({ bis }) =>
        patch('freigaben', { query: { schluessel }, body: { gueltig_bis: endOfDay(bis) ?? null } })
      }
      onSent={() => {
        void refresh('freigaben')
        onClose()
      }}
    >
      {({ field }) => (
        <TextInput
          label={w.until}
          description={w.untilHint}
          type="date"
          min={lastValidDay(Date.now())}
          data-autofocus
          {...field('bis')}
        />
      )}
    </FormDialog>
  )
}
