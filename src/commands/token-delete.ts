/** `fundus token delete`: revokes a token; its files stay. */
import { type Command, UsageError } from './command.ts'
import { confirm, YES_HELP } from './confirm.ts'
import { withTokens } from './open-features.ts'
import { parseWords } from './options.ts'

export const command: Command = {
  help: `fundus token delete <Kennung> [--yes]

  Programme, die das Token benutzen, bekommen ab sofort 401. Die Kennung zeigt „fundus token list“.

${YES_HELP}`,

  async run({ config, log, args, print }) {
    const { values, positionals } = parseWords(args, { yes: { type: 'boolean' } }, 1)
    const [id] = positionals
    if (id === undefined)
      throw new UsageError('Es fehlt die Kennung des Tokens; „fundus token list“ zeigt sie.')
    const { name } = await withTokens({ config, log }, tokens => tokens.get(id))
    await confirm(`Das Token „${name}“ widerrufen?`, values.yes)
    await withTokens({ config, log }, tokens => tokens.withdraw(id))
    print(`Das Token „${name}“ ist widerrufen.`)
  },
}
