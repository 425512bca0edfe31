/**
 * A text field or a select box for a setting. A problem with the typed text is shown when the field loses the
 * focus and, after an attempt to save, also while the user is typing.
 */
import { Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ownValue } from '../../../../../src/contract/values/own-value.ts'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useLanguage, useWords } from '../../../language/language.tsx'
import { useServiceText } from '../../../language/service-text.ts'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { SettingRow } from '../../../ui/forms/setting-row.tsx'
import { Warning } from '../../../ui/warning.tsx'
import { currentValueOf, fieldValueOf, setDraft, useDrafts } from '../drafts.ts'
import { MEGABYTE_SETTINGS, NUMBER_SETTINGS, SETTING_CHOICES, type TypedSettingName } from '../groups.ts'
import classes from '../settings.module.css'
import { choiceText, choiceWords, settingExamples, settingExplanations, settingWords } from '../words.ts'
import { ResetButton } from './reset-button.tsx'

export interface TypedFieldProps {
  name: TypedSettingName
  settings: SettingsAnswer
  /** Why the value cannot be saved; null if it can. */
  problem: string | null
  /** Whether to show the problem even while the user is typing, as after an attempt to save. */
  showsWhileTyping: boolean
  /** Shown below the field: something to know before saving. */
  warning?: ReactNode
}

export function TypedField({ name, settings, problem, showsWhileTyping, warning }: TypedFieldProps) {
  const label = useWords(settingWords)[name]
  const example = useWords(settingExamples)[name]
  const explanation = useWords(settingExplanations)[name]
  const choiceLabels = useWords(choiceWords)
  const { language } = useLanguage()
  const translate = useServiceText()
  const { warnung } = settings[name]
  const [isFocused, setFocused] = useState(false)
  const currentValue = fieldValueOf(currentValueOf(settings, name)!, language === 'de')
  const options: readonly string[] | undefined = ownValue(SETTING_CHOICES, name)
  const fieldValue = useDrafts()[name] ?? currentValue
  const id = `setting-${name}`
  return (
    <SettingRow label={label} description={explanation} source={settings[name].quelle} htmlFor={id}>
      <Group gap={4} wrap="nowrap" align="flex-start">
        {options ? (
          <NativeSelect
            id={id}
            flex={1}
            value={String(fieldValue)}
            error={problem}
            data={options.map(value => ({ value, label: choiceText(choiceLabels, name, value) }))}
            onChange={event => setDraft(name, event.currentTarget.value)}
          />
        ) : (
          <TextInput
            id={id}
            flex={1}
            value={String(fieldValue)}
            placeholder={example}
            error={isFocused && !showsWhileTyping ? null : problem}
            inputMode={NUMBER_SETTINGS.has(name) ? 'decimal' : 'text'}
            autoComplete="off"
            spellCheck={false}
            rightSectionPointerEvents="none"
            rightSectionWidth={48}
            {...(MEGABYTE_SETTINGS.has(name) && {
              rightSection: <DimmedText>MB</DimmedText>,
            })}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            onChange={event => setDraft(name, event.currentTarget.value)}
          />
        )}
        <div className={classes.corner}>
          <ResetButton name={name} settings={settings} />
        </div>
      </Group>
      {(warning || warnung) && (
        <Stack gap="xs" mt="xs">
          {warning && <Warning>{warning}</Warning>}
          {warnung && <Warning>{translate(warnung.satz, warnung.code)}</Warning>}
        </Stack>
      )}
    </SettingRow>
  )
}
