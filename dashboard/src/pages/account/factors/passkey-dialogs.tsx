/** The dialogs that add a passkey and rename one. */
import { Text, TextInput } from '@mantine/core'
import { PASSKEY_NAME_MAX_LENGTH } from '../../../../../src/contract/values/input-limits.ts'
import { patch } from '../../../api/client.ts'
import { useRefresh } from '../../../api/use-refresh.ts'
import { useWords } from '../../../language/language.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { useNotify } from '../../../ui/notify.tsx'
import { useAddPasskey } from './use-add-passkey.ts'
import { words } from './words.ts'

interface PasskeyDialogProps {
  opened: boolean
  onClose(): void
}

export function AddPasskeyDialog({ opened, onClose }: PasskeyDialogProps) {
  const w = useWords(words)
  const notify = useNotify()
  const refresh = useRefresh()
  const addPasskey = useAddPasskey()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={w.addTitle}
      submit={w.addPasskey}
      initialValues={{ name: '' }}
      check={({ name }) => ({ name: name.trim() === '' && w.nameMissing })}
      send={({ name }) => addPasskey(name)}
      onSent={() => {
        notify.showSuccess(w.added)
        void refresh('passkeys', 'ich')
        onClose()
      }}
    >
      {({ field }) => (
        <>
          <Text>{w.addHint}</Text>
          <TextInput
            label={w.name}
            placeholder={w.nameExample}
            maxLength={PASSKEY_NAME_MAX_LENGTH}
            {...field('name')}
          />
        </>
      )}
    </FormDialog>
  )
}

export function RenamePasskeyDialog({
  opened,
  onClose,
  id,
  name,
}: PasskeyDialogProps & { id: string; name: string }) {
  const w = useWords(words)
  const refresh = useRefresh()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={w.renameTitle}
      submit={w.rename}
      initialValues={{ name }}
      check={values => ({ name: values.name.trim() === '' && w.nameMissing })}
      send={body => patch(`passkeys/${id}`, { body })}
      onSent={() => {
        void refresh('passkeys')
        onClose()
      }}
    >
      {({ field }) => <TextInput label={w.name} maxLength={PASSKEY_NAME_MAX_LENGTH} {...field('name')} />}
    </FormDialog>
  )
}
