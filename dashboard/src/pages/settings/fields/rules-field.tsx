/**
 * The field for the rules that give a role to people who sign in with an external provider. The first
 * matching rule applies.
 */
import { NativeSelect, Stack, TagsInput, TextInput } from '@mantine/core'
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { ROLES, type Role } from '../../../../../src/contract/accounts/roles.ts'
import { EXTERNAL_RULES_MAX } from '../../../../../src/contract/values/input-limits.ts'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useGet } from '../../../api/use-get.ts'
import { useWords } from '../../../language/language.tsx'
import { ButtonWithIcon, IconButton } from '../../../ui/buttons.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { flattenFolders, trimFolder } from '../../../ui/forms/folder-list.ts'
import { SettingRow } from '../../../ui/forms/setting-row.tsx'
import { roleWords } from '../../../ui/words.ts'
import { type RuleDraft, setDraft, useDrafts } from '../drafts.ts'
import classes from '../settings.module.css'
import { settingExplanations, settingWords } from '../words.ts'
import { ruleWords } from './words.ts'

export type RulesSettingName = 'OIDC_REGELN' | 'DISCORD_REGELN'

/** The fields of a rule that are compared with what the provider says about a person. */
const COMPARED_FIELDS = { OIDC_REGELN: ['anspruch', 'wert'], DISCORD_REGELN: ['rolle_id'] } as const

/** The role of a new rule, and the first one in the select box. */
const DEFAULT_ROLE: Role = 'redaktion'
const ROLE_CHOICES: readonly Role[] = [DEFAULT_ROLE, ...ROLES.filter(role => role !== DEFAULT_ROLE)]

export interface RulesFieldProps {
  name: RulesSettingName
  settings: SettingsAnswer
  problem: string | null
}

export function RulesField({ name, settings, problem }: RulesFieldProps) {
  const w = useWords(ruleWords)
  const label = useWords(settingWords)[name]
  const rules = (useDrafts()[name] ?? settings[name].wert) as readonly RuleDraft[]
  const setRules = (changedRules: readonly RuleDraft[]) => setDraft(name, changedRules)
  const changeRule = (index: number, change: RuleDraft) =>
    setRules(rules.with(index, { ...rules[index], ...change }))
  const newRule: RuleDraft = Object.fromEntries([
    ...COMPARED_FIELDS[name].map(field => [field, '']),
    ['rolle', DEFAULT_ROLE],
  ])
  return (
    <SettingRow
      label={label}
      description={useWords(settingExplanations)[name]}
      source={settings[name].quelle}
    >
      <Stack gap="sm" align="stretch">
        {rules.length > 0 && (
          <ol className={classes.rules} aria-label={label}>
            {[...rules.keys()].map(index => (
              <li key={index} aria-label={w.rule(index + 1)} className={classes.rule}>
                <RuleFields name={name} rule={rules[index]!} onChange={change => changeRule(index, change)} />
                <div className={classes.ruleActions}>
                  <IconButton
                    icon={IconArrowUp}
                    label={w.moveRuleUp}
                    disabled={index === 0}
                    onClick={() =>
                      setRules(rules.with(index, rules[index - 1]!).with(index - 1, rules[index]!))
                    }
                  />
                  <IconButton
                    icon={IconTrash}
                    label={w.remove}
                    onClick={() => setRules(rules.toSpliced(index, 1))}
                  />
                </div>
              </li>
            ))}
          </ol>
        )}
        {problem && <DimmedText c="var(--mantine-color-error)">{problem}</DimmedText>}
        <ButtonWithIcon
          icon={IconPlus}
          label={w.add}
          variant="default"
          disabled={rules.length >= EXTERNAL_RULES_MAX}
          onClick={() => setRules([...rules, newRule])}
        />
      </Stack>
    </SettingRow>
  )
}

interface RuleFieldsProps {
  name: RulesSettingName
  rule: RuleDraft
  onChange(change: RuleDraft): void
}

function RuleFields({ name, rule, onChange }: RuleFieldsProps) {
  const w = useWords(ruleWords)
  const roleNames = useWords(roleWords)
  const { data: folderTree } = useGet('folders')
  const mayHaveFolders = rule.rolle !== 'betreiber'
  return (
    <>
      {COMPARED_FIELDS[name].map(field => (
        <TextInput
          key={field}
          label={w[field]}
          value={rule[field] ?? ''}
          autoComplete="off"
          spellCheck={false}
          onChange={event => onChange({ [field]: event.currentTarget.value })}
        />
      ))}
      <NativeSelect
        label={w.role}
        value={rule.rolle ?? ''}
        data={ROLE_CHOICES.map(value => ({ value, label: roleNames[value] }))}
        onChange={event => {
          const rolle = event.currentTarget.value as Role
          onChange({ rolle, ...(rolle === 'betreiber' && { ordner: undefined }) })
        }}
      />
      {mayHaveFolders && (
        <TagsInput
          className={classes.ruleFolders ?? ''}
          label={w.folders}
          placeholder={rule.ordner?.length ? '' : w.allFolders}
          value={[...(rule.ordner ?? [])]}
          data={flattenFolders(folderTree ?? []).map(({ pfad }) => pfad)}
          limit={50}
          onChange={ordner => onChange({ ordner: ordner.length > 0 ? ordner.map(trimFolder) : undefined })}
        />
      )}
    </>
  )
}
