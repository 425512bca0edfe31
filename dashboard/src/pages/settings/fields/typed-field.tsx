/**
 * A field for a setting that is one line of text. A problem is shown when the field is left, not while
 * typing.
 */
import { Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ownValue } from '../../../../../src/contract/values/own-value.ts'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useLanguage, useWords } from '../../../language/language.tsx'
import { useServiceText } from '../../../language/service-text.ts'
import { SettingRow } from '../../../ui/forms/setting-row.tsx'
import { Quiet } from '../../../ui/quiet.tsx'
import { Warning } from '../../../ui/warning.tsx'
import { fieldValueOf, setDraft, useDrafts, valueIn } from '../drafts.ts'
import { CHOICES, MEGABYTES, NUMBERS, type TypedName } from '../groups.ts'
import classes from '../settings.module.css'
import { choiceText, choiceWords, examples, explanations, settingWords } from '../words.ts'
import { ResetButton } from './reset-button.tsx'

export interface TypedFieldProps {
  name: TypedName
  settings: SettingsAnswer
  /** Why the value cannot be saved. */
  problem: string | null
  /**
   * Whether to show the problem even while typing: after the service has refused the value, or saving was
   * tried.
   */
  insist: boolean
  /** Shown below the field: something to know before saving. */
  warning?: ReactNode
}

export function TypedField({ name, settings, problem, insist, warning }: TypedFieldProps) {
  const label = useWords(settingWords)[name]
  const example = useWords(examples)[name]
  const explanation = useWords(explanations)[name]
  const choices = useWords(choiceWords)
  const { language } = useLanguage()
  const warningText = useServiceText()
  const { warnung } = settings[name]
  const [typing, setTyping] = useState(false)
  const inForce = fieldValueOf(valueIn(settings, name)!, language === 'de')
  const values: readonly string[] | undefined = ownValue(CHOICES, name)
  const shown = useDrafts()[name] ?? inForce
  const id = `setting-${name}`
  return (
    <SettingRow label={label} description={explanation} source={settings[name].quelle} htmlFor={id}>
      <Group gap={4} wrap="nowrap" align="flex-start">
        {values ? (
          <NativeSelect
            id={id}
            flex={1}
            value={String(shown)}
            error={problem}
            data={values.map(value => ({ value, label: choiceText(choices, name, value) }))}
            onChange={event => setDraft(name, event.currentTarget.value)}
          />
        ) : (
          <TextInput
            id={id}
            flex={1}
            value={String(shown)}
            placeholder={example}
            error={typing && !insist ? null : problem}
            inputMode={NUMBERS.has(name) ? 'decimal' : 'text'}
            autoComplete="off"
            spellCheck={false}
            rightSectionPointerEvents="none"
            rightSectionWidth={48}
            {...(MEGABYTES.has(name) && {
              rightSection: <Quiet>MB</Quiet>,
            })}
            onFocus={() => setTyping(true)}
            onBlur={() => setTyping(false)}
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
          {warnung && <Warning>{warningText(warnung.satz, warnung.code)}</Warning>}
        </Stack>
      )}
    </SettingRow>
  )
}
