import { Argument, Command as Parser, Option, type CommanderError } from 'commander'
import { version } from '../shared/package.ts'
import type { Command, CommandOption, Given, Terminal } from './command.ts'
import { commands, groups } from './commands.ts'
import { exitCodes, exitTexts, type Exit } from './exit-codes.ts'

/** Where a parser prints, and what it runs. */
export interface ParserDeps {
  readonly terminal: Pick<Terminal, 'output' | 'errors'>
  /** Columns of the help; default: those of the terminal. */
  readonly columns?: number
  readonly run: (command: Command, given: Given) => Promise<void>
}

/** The parser of all commands. It throws CommanderError instead of ending the process. */
export function createParser(deps: ParserDeps): Parser {
  const { terminal, columns } = deps
  const parser = new Parser('gatehouse')
    .description('A self-hosted camera service built around access control.')
    .version(`gatehouse ${version}`, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.output.write(text),
      writeErr: (text) => void terminal.errors.write(text),
      ...(columns !== undefined && { getOutHelpWidth: () => columns, getErrHelpWidth: () => columns }),
    })
    .showHelpAfterError('Run with --help for the usage.')
  for (const command of commands) addCommand(parser, command, deps)
  return parser
}

function addCommand(parser: Parser, command: Command, { run }: ParserDeps): void {
  const words = command.name.split(' ')
  const parent = words.length === 1 ? parser : groupOf(parser, words[0] ?? '')
  const added = parent
    .command(words.at(-1) ?? '')
    .summary(command.summary)
    .description([command.summary, ...(command.description ?? [])].join('\n\n'))
    .addHelpText('after', `\n${exitHelp(command)}`)
  const { argument } = command
  if (argument) added.addArgument(new Argument(placeholder(argument.name, argument.required), argument.description))
  for (const option of command.options) added.addOption(optionOf(option))
  added.action(() => run(command, givenTo(added)))
}

const placeholder = (name: string, required: boolean): string => (required ? `<${name}>` : `[${name}]`)

function groupOf(parser: Parser, name: string): Parser {
  const found = parser.commands.find((each) => each.name() === name)
  return found ?? parser.command(name).description(groups.get(name) ?? '')
}

function optionOf({ name, value, description, required }: CommandOption): Option {
  const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, description)
  return required ? option.makeOptionMandatory() : option
}

function givenTo(parser: Parser): Given {
  const values = parser.opts<Readonly<Record<string, unknown>>>()
  return {
    argument: parser.args[0],
    text(name) {
      const value = values[new Option(`--${name}`).attributeName()]
      return typeof value === 'string' ? value : undefined
    },
    has(name) {
      // `--no-x` sets `x` to false, and without it `x` is true.
      const option = new Option(`--${name}`)
      return values[option.attributeName()] === !option.negate
    },
  }
}

/** The exit codes of a command, as its help lists them. */
function exitHelp({ exits }: Command): string {
  const all: readonly Exit[] = ['success', 'failure', 'usage', ...exits]
  return ['Exit codes:', ...all.map((exit) => `  ${String(exitCodes[exit]).padEnd(3)} ${exitTexts[exit]}`)].join('\n')
}

/** The exit of an error of the parser. It has printed the error, or the help that was asked for. */
export const exitOfParser = ({ exitCode }: CommanderError): Exit => (exitCode === 0 ? 'success' : 'usage')
