import { HeadlessSurface } from "../../headless.ts";
import type { Approver } from "../../../agent/approval.ts";
import type { BuiltinTool } from "../../../agent/tools/tool.ts";
import { withUris } from "../../../agent/tools/uri.ts";
import type { ExtensionHost } from "../../../host/host.ts";
import type { AttachedSurface } from "../../../host/ports.ts";
