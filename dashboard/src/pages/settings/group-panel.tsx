/**
 * A group of settings: its fields, and below them the unsaved changes with the button to save. Risky changes
 * must be confirmed before they are saved.
 */
import { Button, Collapse, Group as Row, Stack, Text } from '@mantine/core'
import type { FormEvent } from 'react'
import { isSecretSetting } from '../../../../src/contract/service/secret-settings.ts'
import type { SettingName } from '../../../../src/contract/service/settings.ts'
import type { SettingsAnswer } from '../../api/routes.ts'
import { useWords } from '../../language/language.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { useDialog } from '../../ui/forms/dialog.tsx'
import { ChangeList } from './change-list.tsx'
import { OccasionsField } from './fields/occasions-field.tsx'
import { RulesField } from './fields/rules-field.tsx'
import { SecretField } from './fields/secret-field.tsx'
import { SignInTest } from './fields/sign-in-test.tsx'
import { SizesField } from './fields/sizes-field.tsx'
import { TargetWarnings } from './fields/target-warnings.tsx'
import { TypedField } from './fields/typed-field.tsx'
import { WebhookField } from './fields/webhook-field.tsx'
import { SETTING_GROUPS, type SettingGroup } from './groups.ts'
import { risksOf } from './risks.ts'
import type { SettingRules } from './rules.ts'
import { Section } from './section.tsx'
import classes from './settings.module.css'
import { type SettingGroupState, useSettingGroup } from './use-group.ts'
import { words } from './words.ts'

export interface GroupPanelProps {
  group: SettingGroup
  settings: SettingsAnswer
  rules: SettingRules | null
}

export function GroupPanel({ group, settings, rules }: GroupPanelProps) {
  const w = useWords(words)
  const state = useSettingGroup(group, settings, rules)
  const riskDialog = useDialog()
  const risks = risksOf(state.changes, settings, location)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (state.changes.length === 0) return
    if (risks.length > 0) riskDialog.open(true)
    else void state.save()
  }
  return (
    <Section name={group}>
      <form onSubmit={submit} noValidate>
        {SETTING_GROUPS[group].map(name => (
          <SettingField key={name} name={name} settings={settings} state={state} />
        ))}
        {group === 'backup' && <TargetWarnings settings={settings} />}
        {(group === 'oidc' || group === 'discord') && (
          <SignInTest provider={group} settings={settings} hasChanges={state.changes.length > 0} />
        )}
        <UnsavedChanges state={state} />
      </form>
      <ConfirmDialog
        {...riskDialog}
        title={risks.includes('dashboardHidden') ? w.hostTitle : w.riskTitle}
        confirmLabel={w.saveAnyway}
        onConfirm={state.save}
      >
        <Stack gap="sm">
          {risks.includes('dashboardHidden') && <Text>{w.hostWarning(location.hostname)}</Text>}
          {risks.includes('filesElsewhere') && <Text>{w.filesElsewhere}</Text>}
          {risks.includes('addressUnseen') && <Text>{w.addressUnseen(location.host)}</Text>}
        </Stack>
      </ConfirmDialog>
    </Section>
  )
}

function SettingField({
  name,
  settings,
  state,
}: {
  name: SettingName
  settings: SettingsAnswer
  state: SettingGroupState
}) {
  const w = useWords(words)
  const problem = state.problemOf(name)
  if (name === 'WEBHOOK_URL') return <WebhookField settings={settings} problem={problem} />
  if (isSecretSetting(name)) return <SecretField name={name} settings={settings} problem={problem} />
  if (name === 'OIDC_REGELN' || name === 'DISCORD_REGELN')
    return <RulesField name={name} settings={settings} problem={state.wasSaveTried ? problem : null} />
  if (name === 'BILDGROESSEN')
    return <SizesField settings={settings} problem={state.wasSaveTried ? problem : null} />
  if (name === 'WEBHOOK_ANLAESSE') return <OccasionsField settings={settings} />
  const typedValue = state.changes.find(change => change.name === name)?.to
  const warning =
    name === 'FILES_HOST' && isDashboardHost(typedValue) ? w.hostWarning(location.hostname) : null
  return (
    <TypedField
      name={name}
      settings={settings}
      problem={problem}
      showsWhileTyping={state.wasSaveTried}
      warning={warning}
    />
  )
}

/**
 * Whether the typed host is the one at which the dashboard is open. Saving it as the host for files would
 * make the dashboard unreachable there, because that host serves only files.
 */
const isDashboardHost = (typedHost: unknown) =>
  typeof typedHost === 'string' && typedHost.trim().toLowerCase() === location.hostname

function UnsavedChanges({ state }: { state: SettingGroupState }) {
  const w = useWords(words)
  const { changes, error, isSaving, discard } = state
  return (
    <Collapse expanded={changes.length > 0}>
      <div className={classes.unsaved}>
        <Stack gap="sm">
          <DimmedText>{w.changes}</DimmedText>
          <ChangeList changes={changes} showsReset />
          <ErrorNotice error={error} />
          <Row gap="xs" justify="flex-end">
            <Button variant="default" onClick={discard}>
              {w.discard}
            </Button>
            <Button type="submit" loading={isSaving}>
              {w.save}
            </Button>
          </Row>
        </Stack>
      </div>
    </Collapse>
  )
}
