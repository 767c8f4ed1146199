#include "reflect.h"

#include "text.h"

#include <string.h>

/* A shader during its reflection. */
struct view {
    spvc_compiler compiler;
    spvc_resources resources;
    const char *shader;
    struct problems *problems;
};

static const char *const kind_of_resource[] = {
    [SPVC_RESOURCE_TYPE_UNIFORM_BUFFER] = "a uniform buffer",
    [SPVC_RESOURCE_TYPE_STORAGE_BUFFER] = "a storage buffer",
    [SPVC_RESOURCE_TYPE_SUBPASS_INPUT] = "a subpass input",
    [SPVC_RESOURCE_TYPE_STORAGE_IMAGE] = "a storage image",
    [SPVC_RESOURCE_TYPE_SAMPLED_IMAGE] = "a sampled image",
    [SPVC_RESOURCE_TYPE_ATOMIC_COUNTER] = "an atomic counter",
    [SPVC_RESOURCE_TYPE_SEPARATE_IMAGE] = "an image",
    [SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS] = "a sampler",
    [SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE] = "an acceleration structure",
    [SPVC_RESOURCE_TYPE_SHADER_RECORD_BUFFER] = "a shader record",
};

static int check_resources(const struct view *v)
{
    int good = 1;
    for (size_t kind = 0; kind < sizeof kind_of_resource / sizeof *kind_of_resource; kind++) {
        const spvc_reflected_resource *list;
        size_t count;
        if (!kind_of_resource[kind] ||
            spvc_resources_get_resource_list_for_type(v->resources, (spvc_resource_type)kind, &list,
                                                      &count) != SPVC_SUCCESS)
            continue;
        for (size_t i = 0; i < count; i++, good = 0)
            problem(v->problems,
                    "%s: \"%s\" is %s, and there are no descriptor sets: give its address in ARGS", v->shader,
                    list[i].name, kind_of_resource[kind]);
    }
    return good;
}

static int is_address(spvc_type type)
{
    return spvc_type_get_storage_class(type) == SpvStorageClassPhysicalStorageBuffer &&
           spvc_type_get_num_array_dimensions(type) == 0;
}

/* Whether the address is of a single value, not of an array. */
static bool is_of_value(const struct view *v, spvc_type address)
{
    spvc_type block = spvc_compiler_get_type_handle(v->compiler, spvc_type_get_base_type_id(address));
    return spvc_type_get_num_array_dimensions(
               spvc_compiler_get_type_handle(v->compiler, spvc_type_get_member_type(block, 0))) == 0;
}

static int is_uint(spvc_type type)
{
    return spvc_type_get_basetype(type) == SPVC_BASETYPE_UINT32 && spvc_type_get_vector_size(type) == 1 &&
           spvc_type_get_columns(type) == 1 && spvc_type_get_num_array_dimensions(type) == 0;
}

/* Describes a type that is neither address nor uint, for the message. */
static const char *describe(spvc_type type)
{
    if (spvc_type_get_num_array_dimensions(type))
        return "an array";
    if (spvc_type_get_columns(type) > 1)
        return "a matrix";
    if (spvc_type_get_vector_size(type) > 1)
        return "a vector";
    switch (spvc_type_get_basetype(type)) {
    case SPVC_BASETYPE_STRUCT:
        return "a struct";
    case SPVC_BASETYPE_FP16:
        return "a half";
    case SPVC_BASETYPE_FP32:
        return "a float";
    case SPVC_BASETYPE_FP64:
        return "a double";
    case SPVC_BASETYPE_INT32:
        return "an int";
    case SPVC_BASETYPE_INT64:
    case SPVC_BASETYPE_UINT64:
        return "a 64-bit integer";
    default:
        return "of another type";
    }
}

/* Adds one member, whatever its offset. */
static int add_arg(const struct view *v, spvc_type block, uint32_t index, struct interface *out)
{
    spvc_type_id block_id = spvc_type_get_base_type_id(block);
    const char *name = spvc_compiler_get_member_name(v->compiler, block_id, index);
    spvc_type type = spvc_compiler_get_type_handle(v->compiler, spvc_type_get_member_type(block, index));
    unsigned offset;
    if (!type || !name || !*name ||
        spvc_compiler_type_struct_member_offset(v->compiler, block, index, &offset) != SPVC_SUCCESS) {
        problem(v->problems, "%s: member %u of ARGS has no name or no offset: was it compiled with -O?",
                v->shader, index);
        return 0;
    }
    const char *type_name = "uint32_t";
    if (is_address(type))
        type_name = spvc_compiler_get_name(v->compiler, spvc_type_get_base_type_id(type));
    else if (!is_uint(type)) {
        problem(v->problems, "%s: member \"%s\" is %s: ARGS holds only buffer addresses and uints", v->shader,
                name, describe(type));
        return 0;
    }
    if (!type_name || !*type_name) {
        problem(v->problems, "%s: the type of member \"%s\" has no name: was it compiled with -O?", v->shader,
                name);
        return 0;
    }
    out->arg[out->args++] = (struct arg){name, type_name, is_address(type) && is_of_value(v, type), offset};
    return 1;
}

/* Sets out->push_bytes, and checks that C gives every member the offset that it has in the shader. */
static int place_args(const struct view *v, struct interface *out)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < out->args; i++) {
        const struct arg *arg = out->arg + i;
        uint32_t size = strcmp(arg->type, "uint32_t") != 0 ? 8 : 4;
        uint32_t natural = (end + size - 1) / size * size;
        if (arg->offset != natural) {
            problem(v->problems,
                    "%s: member \"%s\" is at offset %u, where C has it at %u: declare ARGS scalar", v->shader,
                    arg->name, arg->offset, natural);
            return 0;
        }
        end = natural + size;
    }
    out->push_bytes = end;
    return 1;
}

static int read_block(const struct view *v, spvc_type block, struct interface *out)
{
    uint32_t count = spvc_type_get_num_member_types(block);
    int good = 1;
    for (uint32_t i = 0; i < count && i < MAX_ARGS; i++)
        good &= add_arg(v, block, i, out);

    size_t bytes;
    if (spvc_compiler_get_declared_struct_size(v->compiler, block, &bytes) == SPVC_SUCCESS &&
        (bytes > MAX_PUSH_BYTES || count > MAX_ARGS)) {
        problem(v->problems, "%s: ARGS takes %zu bytes of at most %d", v->shader, bytes, MAX_PUSH_BYTES);
        return 0;
    }
    return good && count <= MAX_ARGS && place_args(v, out);
}

/* Fills the place of the specialisation constant `id`, after ARGS. Id 0 is FUSES of shaders/fused.glsl, a
 * bool that no verb names. */
static int add_constant(const struct view *v, uint32_t id, spvc_constant_id in_code, struct interface *out)
{
    spvc_constant constant = spvc_compiler_get_constant_handle(v->compiler, in_code);
    const char *name = spvc_compiler_get_name(v->compiler, in_code);
    spvc_type type = spvc_compiler_get_type_handle(v->compiler, spvc_constant_get_type(constant));
    if (id == 0 && spvc_type_get_basetype(type) == SPVC_BASETYPE_BOOLEAN)
        return 1;
    if (!name || !*name) {
        problem(v->problems, "%s: specialisation constant %u has no name: was it compiled with -O?",
                v->shader, id);
        return 0;
    }
    if (id == 0) {
        problem(v->problems, "%s: specialisation constant \"%s\" has the id 0, which is that of FUSES",
                v->shader, name);
        return 0;
    }
    if (!is_uint(type)) {
        problem(v->problems, "%s: specialisation constant \"%s\" is not a uint", v->shader, name);
        return 0;
    }
    if (id > MAX_CONSTANTS) {
        problem(v->problems, "%s: specialisation constant \"%s\" has the id %u: the most is %d", v->shader,
                name, id, MAX_CONSTANTS);
        return 0;
    }
    for (uint32_t i = 0; i < out->args; i++)
        if (strcmp(out->arg[i].name, name) == 0) {
            problem(v->problems, "%s: specialisation constant \"%s\" has the name of a member of ARGS",
                    v->shader, name);
            return 0;
        }
    out->arg[out->args + id - 1] = (struct arg){name, "uint32_t", false, out->push_bytes + 4 * (id - 1)};
    return 1;
}

/* Adds the specialisation constants as members after ARGS, and sets out->bytes. */
static int read_constants(const struct view *v, struct interface *out)
{
    const spvc_specialization_constant *list;
    size_t count;
    if (spvc_compiler_get_specialization_constants(v->compiler, &list, &count) != SPVC_SUCCESS) {
        problem(v->problems, "%s: its specialisation constants cannot be read", v->shader);
        return 0;
    }
    int good = 1;
    for (size_t i = 0; i < count; i++)
        good &= add_constant(v, list[i].constant_id, list[i].id, out);
    for (uint32_t i = MAX_CONSTANTS; i > 0 && out->constants == 0; i--)
        if (out->arg[out->args + i - 1].name)
            out->constants = i;
    for (uint32_t i = 0; good && i < out->constants; i++)
        if (!out->arg[out->args + i].name) {
            problem(v->problems, "%s: no specialisation constant has the id %u, but one has the id %u",
                    v->shader, i + 1, out->constants);
            good = 0;
        }
    uint32_t alignment = 4, end = out->push_bytes + 4 * out->constants;
    for (uint32_t i = 0; i < out->args; i++)
        alignment = strcmp(out->arg[i].type, "uint32_t") != 0 ? 8 : alignment;
    out->args += out->constants;
    out->bytes = (end + alignment - 1) / alignment * alignment;
    return good;
}

static int read_args(const struct view *v, struct interface *out)
{
    const spvc_reflected_resource *list;
    size_t count;
    if (spvc_resources_get_resource_list_for_type(v->resources, SPVC_RESOURCE_TYPE_PUSH_CONSTANT, &list,
                                                  &count) != SPVC_SUCCESS ||
        count != 1) {
        problem(v->problems, "%s: has no ARGS block, or more than one", v->shader);
        return 0;
    }
    spvc_type block = spvc_compiler_get_type_handle(v->compiler, list[0].base_type_id);
    return block && read_block(v, block, out);
}

static int read_entry(const struct view *v, struct interface *out)
{
    const spvc_entry_point *entries;
    size_t count;
    if (spvc_compiler_get_entry_points(v->compiler, &entries, &count) != SPVC_SUCCESS || count != 1 ||
        entries[0].execution_model != SpvExecutionModelGLCompute) {
        problem(v->problems, "%s: must have one entry point, a compute shader's", v->shader);
        return 0;
    }
    unsigned size[3];
    for (unsigned i = 0; i < 3; i++)
        size[i] =
            spvc_compiler_get_execution_mode_argument_by_index(v->compiler, SpvExecutionModeLocalSize, i);
    if (size[0] == 0 || size[1] != 1 || size[2] != 1) {
        problem(v->problems, "%s: its workgroup is %u x %u x %u: expected N x 1 x 1", v->shader, size[0],
                size[1], size[2]);
        return 0;
    }
    out->group_size = size[0];
    return 1;
}

/* Bytes of a value in shared memory, whose layout is the device's: packed, a bool as a word. */
static uint64_t packed_bytes(const struct view *v, spvc_type type)
{
    unsigned bits = spvc_type_get_bit_width(type), members = spvc_type_get_num_member_types(type);
    uint64_t bytes = 0;
    if (spvc_type_get_basetype(type) != SPVC_BASETYPE_STRUCT)
        bytes = (bits < 8 ? 4 : bits / 8) * (uint64_t)spvc_type_get_vector_size(type) *
                spvc_type_get_columns(type);
    for (unsigned i = 0; i < members; i++)
        bytes +=
            packed_bytes(v, spvc_compiler_get_type_handle(v->compiler, spvc_type_get_member_type(type, i)));
    for (unsigned i = 0; i < spvc_type_get_num_array_dimensions(type); i++)
        bytes *= spvc_type_get_array_dimension(type, i);
    return bytes;
}

static int check_shared(const struct view *v, const struct spirv *code)
{
    uint64_t bytes = 0;
    for (uint32_t at = 0, type; (type = spirv_next_shared(code, &at));)
        bytes += packed_bytes(v, spvc_compiler_get_type_handle(v->compiler, type));
    if (bytes <= MAX_SHARED_BYTES)
        return 1;
    problem(v->problems, "%s: takes %llu bytes of shared memory of at most %d", v->shader,
            (unsigned long long)bytes, MAX_SHARED_BYTES);
    return 0;
}

uint32_t guard_of(const struct interface *face)
{
    for (uint32_t i = 0; i < face->args; i++)
        if (strcmp(face->arg[i].type, "guard") == 0)
            return face->arg[i].offset;
    return NO_GUARD;
}

uint32_t addresses_of(const struct interface *face)
{
    uint32_t addresses = 0;
    for (uint32_t i = 0; i < face->args; i++)
        if (strcmp(face->arg[i].type, "uint32_t") != 0)
            addresses |= 1u << face->arg[i].offset / 8;
    return addresses;
}

/* Rejects comparisons of addresses with numbers: a device replaces every null address. */
static int check_comparisons(const struct view *v, const struct spirv *code)
{
    bool compares;
    if (!spirv_compares_address(code, &compares))
        out_of_memory();
    if (compares)
        problem(v->problems, "%s: compares an address with a number: use is_there() of kernel.glsl",
                v->shader);
    return !compares;
}

/* Rejects a second guard: a recording has one. */
static int check_guards(const struct view *v, const struct interface *face)
{
    uint32_t guards = 0;
    for (uint32_t i = 0; i < face->args; i++)
        guards += strcmp(face->arg[i].type, "guard") == 0;
    if (guards <= 1)
        return 1;
    problem(v->problems, "%s: has %u members of the type guard: the most is 1", v->shader, guards);
    return 0;
}

int reflect(spvc_context context, const struct spirv *code, const char *shader, const char *spv,
            struct interface *out, struct problems *p)
{
    struct view v = {.shader = shader, .problems = p};
    *out = (struct interface){0};
    const char *fault = spirv_fault(code);
    if (fault) {
        problem(p, "%s: %s", spv, fault);
        return 0;
    }
    spvc_parsed_ir ir;
    if (spvc_context_parse_spirv(context, code->word, code->count, &ir) != SPVC_SUCCESS ||
        spvc_context_create_compiler(context, SPVC_BACKEND_NONE, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP,
                                     &v.compiler) != SPVC_SUCCESS ||
        spvc_compiler_create_shader_resources(v.compiler, &v.resources) != SPVC_SUCCESS) {
        problem(p, "%s: %s", spv, spvc_context_get_last_error_string(context));
        return 0;
    }
    int resources = check_resources(&v), shared = check_shared(&v, code);
    int entry = read_entry(&v, out), args = read_args(&v, out);
    int comparisons = check_comparisons(&v, code);
    return resources && shared && entry && args && comparisons && check_guards(&v, out) &&
           read_constants(&v, out);
}
