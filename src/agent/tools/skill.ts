import { dirname } from "node:path";
import type { ExtensionHost } from "../../host/host.ts";
import { readSkillFile } from "../../host/launch/skill-file.ts";
import { type BuiltinTool, type ToolOutcome, textOutcome } from "./tool.ts";

type Skill = ExtensionHost["skills"][number];

interface SkillArguments {
  readonly name: string;
}

/** The tool that loads skills, for as long as there are any (extension-host.md §8.1, §8.3). */
export function skillTools(all: readonly Skill[]): readonly BuiltinTool[] {
  const skills = all.filter(({ isForModel }) => isForModel);
  return skills.length === 0 ? [] : [skillTool(skills)];
}

function skillTool(skills: readonly Skill[]): BuiltinTool<SkillArguments> {
  const list = skills.map(({ name, description }) => `- ${name}: ${description.replace(/\s+/g, " ")}`);
  return {
    name: "skill",
    description: `Load a skill: instructions for one kind of task. Load it before you begin with a task that it is made for.\n\nSkills:\n${list.join("\n")}`,
    schema: {
      type: "object",
      properties: { name: { type: "string", description: "Name of the skill" } },
      required: ["name"],
    },
    isParallel: true,
    run: async ({ name }) => load(name, skills),
  };
}

function load(name: string, skills: readonly Skill[]): ToolOutcome {
  const skill = skills.find((known) => known.name === name);
  if (skill === undefined) {
    const names = skills.map((known) => known.name).join(", ");
    return textOutcome(`unknown skill ${JSON.stringify(name.slice(0, 80))}; there are ${names}`, true);
  }
  const file = readSkillFile(skill.path, skill.name);
  if ("fault" in file) return textOutcome(`skill ${name}: ${skill.path}: ${file.fault}`, true);
  const files = `Files that it names are relative to ${dirname(skill.path)}`;
  return textOutcome([`# Skill: ${skill.name}`, file.description, files, "---", file.body].join("\n\n"));
}
