/** Sets up an authenticator app: QR code, first code, emergency codes. */
import { Anchor, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { post } from '../../../api/client.ts'
import { useWords } from '../../../language/language.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Form, useTextForm } from '../../../ui/forms/form.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { RowsSkeleton } from '../../../ui/skeletons.tsx'
import { EmergencyCodes } from './emergency-codes.tsx'
import { words } from './words.ts'

interface TotpSetupProps {
  /** Called when the emergency codes appear; they are not shown again. */
  onCodesShown?: () => void
  onDone(): void
}

export function TotpSetup({ onCodesShown, onDone }: TotpSetupProps) {
  const startMutation = useMutation({ mutationFn: () => post('totp') })
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const startSetup = startMutation.mutate
  useEffect(() => startSetup(), [startSetup])
  if (codes) return <EmergencyCodes codes={codes} onDone={onDone} />
  if (startMutation.error) return <ErrorNotice error={startMutation.error} onRetry={() => startSetup()} />
  if (!startMutation.data) return <RowsSkeleton rows={4} />
  return (
    <FirstCodeForm
      {...startMutation.data}
      onConfirmed={newCodes => {
        onCodesShown?.()
        setCodes(newCodes)
      }}
    />
  )
}

interface FirstCodeFormProps {
  geheimnis: string
  adresse: string
  onConfirmed(codes: readonly string[]): void
}

function FirstCodeForm({ geheimnis, adresse, onConfirmed }: FirstCodeFormProps) {
  const w = useWords(words)
  const { field, form } = useTextForm({
    initialValues: { code: '' },
    check: ({ code }) => ({ code: code.trim() === '' && w.codeMissing }),
    send: body => post('totp/bestaetigen', { body }),
    onSent: ({ notfallcodes }) => onConfirmed(notfallcodes),
  })
  return (
    <Form {...form} submit={w.confirm}>
      <Text>{w.scan}</Text>
      <Group justify="center">
        <QrCode text={adresse} label={w.qr} />
      </Group>
      <Stack gap={4}>
        <DimmedText>{w.byHand}</DimmedText>
        <Group gap="xs" wrap="nowrap">
          <Code fz="sm">{geheimnis.replace(/.{4}(?=.)/g, '$& ')}</Code>
          <CopyButton value={geheimnis} showsOnlyIcon />
        </Group>
        <Anchor href={adresse} size="sm" hiddenFrom="sm">
          {w.openApp}
        </Anchor>
      </Stack>
      <TextInput
        label={w.code}
        placeholder="000000"
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        {...field('code')}
      />
    </Form>
  )
}
